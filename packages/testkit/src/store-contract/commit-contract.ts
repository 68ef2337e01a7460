// The contract of commit: expectations, versions, what a put keeps and what it clears, counters, ids sent again.

import { expect } from 'vitest'
import {
  type ContractCase,
  change,
  commitAll,
  farAway,
  jobKey,
  listKeys,
  put,
  queued,
  readOne,
} from './contract-scene.ts'
import { drain, eventsOf } from './feed-reader.ts'

const key = jobKey(1)
const other = jobKey(2)

export const commitCases: readonly ContractCase[] = [
  {
    title: '[S1] the first change of a partition is its revision 1, and each further one is one higher',
    run: async ({ store, room }) => {
      const here = room()
      const answers = []
      for (let n = 1; n <= 3; n++) answers.push(await put(store, here, { key: jobKey(n), head: 'h' }))
      expect(answers.map(({ revision }) => revision)).toEqual([1, 2, 3])
    },
  },
  {
    title: '[S1] a change that only counts or only announces is a revision too',
    run: async ({ store, room }) => {
      const here = room()
      expect(await commitAll(store, change(here, { add: { running: 1 } }))).toMatchObject({ revision: 1 })
      const announce = [{ subject: key, event: 'e' }]
      expect(await commitAll(store, change(here, { announce }))).toMatchObject({ revision: 2, sequence: 1 })
    },
  },
  {
    title: '[S1] all records that one change puts have its revision as their version',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'old' })
      await put(store, here, { key, head: 'new' }, { key: other, head: 'new' })
      const records = await store.read(here, [key, other])
      expect(records).toEqual([
        { partition: here, key, version: 2, head: 'new', attempt: null, body: '' },
        { partition: here, key: other, version: 2, head: 'new', attempt: null, body: '' },
      ])
    },
  },
  {
    title: '[S1] a change whose every expectation holds is applied as a whole',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'one' }, { key: other, head: 'two' })
      const answer = await store.commit(
        change(here, {
          expect: { [key]: 1, [other]: 1, [jobKey(3)]: 0 },
          put: [{ key, head: 'three' }],
          remove: [other],
          add: { ended: 1 },
        }),
      )
      expect(answer).toEqual({ outcome: 'committed', revision: 2, sequence: 0 })
      expect(await store.read(here, [key, other])).toMatchObject([{ head: 'three' }, null])
      expect(await store.counters(here)).toEqual({ ended: 1 })
    },
  },
  {
    title: '[S2] an expectation that does not hold is answered with the version found',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'h' })
      const answer = await store.commit(change(here, { expect: { [key]: 7 } }))
      expect(answer).toEqual({ outcome: 'stale', key, version: 1 })
    },
  },
  {
    title: '[S2] a record that is missing is answered with version 0',
    run: async ({ store, room }) => {
      const answer = await store.commit(change(room(), { expect: { [key]: 3 } }))
      expect(answer).toEqual({ outcome: 'stale', key, version: 0 })
    },
  },
  {
    title: '[S2] a change that puts nothing may expect and count thousands',
    run: async ({ store, room }) => {
      const here = room()
      const names = Array.from({ length: 9_000 }, (_, n) => `n${n}`)
      const expect0 = Object.fromEntries(names.map((name) => [name, 0]))
      const add = Object.fromEntries(names.map((name) => [name, 1]))
      expect(await store.commit(change(here, { expect: expect0, add }))).toMatchObject({
        outcome: 'committed',
      })
      expect(await store.counters(here)).toEqual(add)
    },
  },
  {
    title: '[S2] of several expectations that fail, the first in the order given is named',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key: jobKey(5), head: 'h' })
      const expectations = { [jobKey(5)]: 1, [jobKey(9)]: 4, [jobKey(2)]: 4 }
      const answer = await store.commit(change(here, { expect: expectations }))
      expect(answer).toEqual({ outcome: 'stale', key: jobKey(9), version: 0 })
    },
  },
  {
    title: '[S2] a put may name the version it expects, checked after those of the change itself',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'one', expect: 0 })
      const both = change(here, { expect: { [other]: 5 }, put: [{ key, head: 'two', expect: 9 }] })
      expect(await store.commit(both)).toEqual({ outcome: 'stale', key: other, version: 0 })
      const puts = [
        { key: other, head: 'new', expect: 0 },
        { key, head: 'two', expect: 9 },
      ]
      expect(await store.commit(change(here, { put: puts }))).toEqual({ outcome: 'stale', key, version: 1 })
      expect(await store.read(here, [key, other])).toMatchObject([{ head: 'one' }, null])
      const right = [
        { key: other, head: 'new', expect: 0 },
        { key, head: 'two', expect: 1 },
      ]
      expect(await store.commit(change(here, { put: right }))).toMatchObject({ outcome: 'committed' })
    },
  },
  {
    title: '[S2] a stale change leaves records, lists, queues, counters and due instants as they were',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', {
        ...queued(key, 5),
        body: 'b',
        lists: ['all'],
        wideLists: ['wide'],
        dueAt: 7,
      })
      const picture = async () => [
        await store.read('room', [key, other]),
        await listKeys(store, { partition: 'room', lists: ['all', 'wide', 'new'] }),
        await listKeys(store, { partition: null, lists: ['wide', 'new-wide'] }),
        await store.queues(),
        await store.counters('room'),
        await store.due(farAway, 10),
      ]
      const before = await picture()
      const moved = { lists: ['new'], wideLists: ['new-wide'], queue: { name: 'new', score: 1 }, dueAt: 8 }
      const stale = change('room', {
        expect: { [key]: 1, [other]: 1 },
        put: [
          { key, head: 'changed', body: 'changed', ...moved },
          { key: jobKey(3), head: 'h', ...moved },
        ],
        remove: [other],
        add: { running: 1 },
      })
      expect(await store.commit(stale)).toMatchObject({ outcome: 'stale', key: other })
      expect(await picture()).toEqual(before)
    },
  },
  {
    title: '[S2] a stale change consumes no revision, no sequence number, and has no event',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      const announced = (event: string) => ({ announce: [{ subject: key, event }] })
      await commitAll(store, change(here, announced('first')))
      await store.commit(change(here, { expect: { [key]: 9 }, ...announced('stale') }))
      const next = await commitAll(store, change(here, announced('second')))
      expect(next).toEqual({ outcome: 'committed', revision: 2, sequence: 2 })
      const events = eventsOf(await drain(store, feed, [here]))
      expect(events.map(({ event }) => event)).toEqual(['first', 'second'])
    },
  },
  {
    title: '[S3] expecting version 0 lets a record be made once',
    run: async ({ store, room }) => {
      const here = room()
      const make = () => change(here, { expect: { [key]: 0 }, put: [{ key, head: 'h' }] })
      expect(await store.commit(make())).toMatchObject({ outcome: 'committed' })
      expect(await store.commit(make())).toEqual({ outcome: 'stale', key, version: 1 })
    },
  },
  {
    title: '[S3] expecting version 0 holds again once the record is removed',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'h' })
      await commitAll(store, change(here, { remove: [key] }))
      const again = change(here, { expect: { [key]: 0 }, put: [{ key, head: 'again' }] })
      expect(await store.commit(again)).toMatchObject({ outcome: 'committed', revision: 3 })
    },
  },
  {
    title:
      '[S4] a version is not used again after a removal, not even when the partition was empty meanwhile',
    run: async ({ store, room }) => {
      const here = room()
      const first = await put(store, here, { key, head: 'h' })
      await commitAll(store, change(here, { remove: [key] }))
      await put(store, here, { key, head: 'again' })
      expect((await readOne(store, here, key))?.version).toBeGreaterThan(first.revision + 1)
      expect(await store.commit(change(here, { expect: { [key]: first.revision } }))).toMatchObject({
        outcome: 'stale',
      })
    },
  },
  {
    title: '[S4] a record that a change does not name keeps its version',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'h' })
      await put(store, here, { key: other, head: 'h' })
      expect(await readOne(store, here, key)).toMatchObject({ version: 1 })
    },
  },
  {
    title: '[S5] a put without a body keeps the body, and a new record starts with an empty one',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'one', body: 'long text' }, { key: other, head: 'one' })
      await put(store, here, { key, head: 'two' }, { key: other, head: 'two' })
      const records = await store.read(here, [key, other])
      expect(records).toMatchObject([{ head: 'two', body: 'long text' }, { body: '' }])
    },
  },
  {
    title: '[S5] a put with a body replaces it, also by an empty one',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'h', body: 'first' }, { key: other, head: 'h', body: 'first' })
      await put(store, here, { key, head: 'h', body: 'second' }, { key: other, head: 'h', body: '' })
      expect(await store.read(here, [key, other])).toMatchObject([{ body: 'second' }, { body: '' }])
    },
  },
  {
    title: '[S5] the body of a removed record does not come back',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'h', body: 'old', attempt: 'old' })
      await commitAll(store, change(here, { remove: [key] }))
      await put(store, here, { key, head: 'h' })
      expect(await readOne(store, here, key)).toMatchObject({ body: '', attempt: null })
    },
  },
  {
    title: '[S6] a put that repeats the attempt keeps it, one that does not clears it',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, { key, head: 'one', attempt: 'token' })
      await put(store, here, { key, head: 'two', attempt: 'token' })
      expect(await readOne(store, here, key)).toMatchObject({ attempt: 'token' })
      await put(store, here, { key, head: 'three' })
      expect(await readOne(store, here, key)).toMatchObject({ attempt: null })
    },
  },
  {
    title: '[S8] a change that puts and removes one record leaves none',
    run: async ({ store, room }) => {
      const here = room()
      await commitAll(store, change(here, { put: [queued(key, 1, { lists: ['all'] })], remove: [key] }))
      expect(await readOne(store, here, key)).toBeNull()
      expect(await listKeys(store, { partition: here, lists: ['all'] })).toEqual([])
      expect(await store.queues(here)).toEqual([])
    },
  },
  {
    title: '[S9] counters add up over changes and may be negative',
    run: async ({ store, room }) => {
      const here = room()
      await commitAll(store, change(here, { add: { running: 2, failures: -3 } }))
      await commitAll(store, change(here, { add: { running: 5, failures: 1 } }))
      expect(await store.counters(here)).toEqual({ running: 7, failures: -2 })
    },
  },
  {
    title: '[S9] a counter that reaches 0 is gone, and adding 0 makes none',
    run: async ({ store, room }) => {
      const here = room()
      await commitAll(store, change(here, { add: { running: 2, untouched: 0 } }))
      await commitAll(store, change(here, { add: { running: -2 } }))
      expect(await store.counters(here)).toEqual({})
    },
  },
  {
    title: '[S10] a change sent again under its id is applied once and answered the same',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      const once = change(here, {
        expect: { [key]: 0 },
        put: [{ key, head: 'h' }],
        add: { submitted: 1 },
        announce: [{ subject: key, event: 'submitted' }],
      })
      const first = await store.commit(once)
      expect(first).toEqual({ outcome: 'committed', revision: 1, sequence: 1 })
      expect(await store.commit(once)).toEqual(first)
      expect(await store.counters(here)).toEqual({ submitted: 1 })
      expect(eventsOf(await drain(store, feed, [here]))).toHaveLength(1)
    },
  },
  {
    title: '[S10] a change sent again after others is still answered the same and undoes none of them',
    run: async ({ store, room }) => {
      const here = room()
      const once = change(here, { put: [{ key, head: 'old' }] })
      const first = await store.commit(once)
      for (let n = 0; n < 20; n++) await put(store, here, { key, head: `newer ${n}` })
      expect(await store.commit(once)).toEqual(first)
      expect(await readOne(store, here, key)).toMatchObject({ head: 'newer 19', version: 21 })
    },
  },
  {
    title: '[S10] copies of one change sent at the same time are applied once and answered alike',
    run: async ({ store, room }) => {
      const here = room()
      const once = change(here, { add: { submitted: 1 }, announce: [{ subject: key, event: 'e' }] })
      const answers = await Promise.all(Array.from({ length: 10 }, () => store.commit(once)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await store.counters(here)).toEqual({ submitted: 1 })
    },
  },
]
