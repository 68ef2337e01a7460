// The contract of claim: which records, how many, what is attached to them, and what a claim leaves alone.

import { expect } from 'vitest'
import {
  type ContractCase,
  change,
  claim,
  commitAll,
  farAway,
  jobKey,
  keysOf,
  listKeys,
  put,
  queued,
  readOne,
} from './contract-scene.ts'
import { drain, eventsOf } from './feed-reader.ts'

const three = [1, 2, 3].map((n) => queued(jobKey(n), n))

export const claimCases: readonly ContractCase[] = [
  {
    title: '[S16] a claim attaches its attempts to the records in order and answers them whole',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(1), 1, { body: 'b1' }), queued(jobKey(2), 2, { body: 'b2' }))
      const { records } = await store.claim(claim(here, 'queue', 2))
      const whole = [1, 2].map((n) => ({
        partition: here,
        key: jobKey(n),
        version: 2,
        head: `head of ${jobKey(n)}`,
        attempt: `attempt ${n - 1}`,
        body: `b${n}`,
      }))
      expect(records).toEqual(whole)
      expect(await store.read(here, [jobKey(1), jobKey(2)])).toEqual(whole)
    },
  },
  {
    title: '[S16] a claim for more than there is takes what there is',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      expect((await store.claim(claim(here, 'queue', 10))).records).toHaveLength(3)
      expect(await store.queues(here)).toEqual([])
    },
  },
  {
    title: '[S16] a claim for fewer than there are leaves the others waiting in their order',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      expect(keysOf((await store.claim(claim(here, 'queue', 2))).records)).toEqual([1, 2].map(jobKey))
      expect(await store.queues(here)).toEqual([
        { partition: here, queue: 'queue', pending: 1, headScore: 3 },
      ])
      expect(keysOf((await store.claim(claim(here, 'queue', 2))).records)).toEqual([jobKey(3)])
    },
  },
  {
    title: '[S16] a claim is one revision, and expectations from before it do not hold after it',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      await store.claim(claim(here, 'queue', 2))
      expect(await store.commit(change(here, { expect: { [jobKey(1)]: 1 } }))).toEqual({
        outcome: 'stale',
        key: jobKey(1),
        version: 2,
      })
      expect(await put(store, here, { key: jobKey(9), head: 'h' })).toMatchObject({ revision: 3 })
    },
  },
  {
    title: '[S16] a claim with 9,000 attempts takes 9,000 records, and sent again names them all',
    run: async ({ store, room }) => {
      const here = room()
      const many = Array.from({ length: 9_000 }, (_, n) => queued(jobKey(n), n))
      await put(store, here, ...many)
      const large = claim(here, 'queue', many.length)
      const first = await store.claim(large)
      expect(keysOf(first.records)).toEqual(keysOf(many))
      expect(first.records.at(-1)).toMatchObject({ version: 2, attempt: 'attempt 8999' })
      expect(await store.claim(large)).toEqual(first)
      expect(await commitAll(store, change(here, { remove: keysOf(many) }))).toMatchObject({ revision: 3 })
    },
  },
  {
    title: '[S20] claimed records leave one wide list and enter the other, and stay in their other lists',
    run: async ({ store, room, name }) => {
      const here = room()
      const [from, to, kept] = [name(), name(), name()]
      await put(store, here, ...three.map((each) => ({ ...each, lists: ['mine'], wideLists: [from, kept] })))
      await store.claim(claim(here, 'queue', 2, { move: { from, to } }))
      const holds = (list: string, partition: string | null) => listKeys(store, { partition, lists: [list] })
      for (const where of [here, null]) {
        expect(await holds(from, where)).toEqual([jobKey(3)])
        expect(await holds(to, where)).toEqual([1, 2].map(jobKey))
        expect(await holds(kept, where)).toEqual([1, 2, 3].map(jobKey))
      }
      expect(await holds('mine', here)).toEqual([1, 2, 3].map(jobKey))
    },
  },
  {
    title: '[S20] a record that stands in as many lists as it may is claimed without losing one',
    run: async ({ store, room, name }) => {
      const here = room()
      const [from, to, kept] = [name(), name(), name()]
      await put(store, here, queued(jobKey(1), 1, { lists: ['mine', 'ours'], wideLists: [from, kept] }))
      await store.claim(claim(here, 'queue', 1, { move: { from, to } }))
      for (const list of [to, kept, 'mine', 'ours']) {
        expect(await listKeys(store, { partition: here, lists: [list] })).toEqual([jobKey(1)])
      }
    },
  },
  {
    title: '[S20] a claimed record that does not stand in the list moved from stays where it stands',
    run: async ({ store, room, name }) => {
      const here = room()
      const [from, to, own] = [name(), name(), name()]
      const lists = ['mine', 'ours', 'theirs']
      await put(store, here, queued(jobKey(1), 1, { lists, wideLists: [own] }))
      await store.claim(claim(here, 'queue', 1, { move: { from, to } }))
      expect(await listKeys(store, { partition: here, lists: [to] })).toEqual([])
      for (const list of [...lists, own]) {
        expect(await listKeys(store, { partition: here, lists: [list] })).toEqual([jobKey(1)])
      }
    },
  },
  {
    title: '[S20] claimed records are due at the instant of their attempt, no longer at their own',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', queued(jobKey(1), 1, { dueAt: 5 }), queued(jobKey(2), 2))
      const attempts = [100, 200].map((dueAt) => ({ attempt: 'a', dueAt, event: 'e' }))
      await store.claim(claim('room', 'queue', 0, { attempts }))
      expect(await store.due(99, 10)).toEqual([])
      expect(await store.due(300, 10)).toEqual([
        { partition: 'room', key: jobKey(1), dueAt: 100 },
        { partition: 'room', key: jobKey(2), dueAt: 200 },
      ])
    },
  },
  {
    title:
      '[S20] a claimed record can be put back in its queue and claimed again, with its body and a new attempt',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(1), 1, { body: 'b' }))
      await store.claim(claim(here, 'queue', 1))
      await put(store, here, queued(jobKey(1), 1))
      expect(await readOne(store, here, jobKey(1))).toMatchObject({ attempt: null, body: 'b' })
      const attempts = [{ attempt: 'second', dueAt: farAway, event: 'e' }]
      const { records } = await store.claim(claim(here, 'queue', 0, { attempts }))
      expect(records).toMatchObject([{ attempt: 'second', body: 'b', version: 4 }])
    },
  },
  {
    title: '[S20] a claimed record that is removed leaves the list the claim moved it to',
    run: async ({ store, room, name }) => {
      const here = room()
      const [from, to] = [name(), name()]
      await put(store, here, queued(jobKey(1), 1, { wideLists: [from] }))
      await store.claim(claim(here, 'queue', 1, { move: { from, to } }))
      await commitAll(store, change(here, { remove: [jobKey(1)] }))
      expect(await listKeys(store, { partition: null, lists: [from, to] })).toEqual([])
      expect(await listKeys(store, { partition: here, lists: [from, to] })).toEqual([])
    },
  },
  {
    title: '[S24] a claim pairs each event with the record claimed, under consecutive sequence numbers',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      await commitAll(store, change(here, { put: three, announce: [{ subject: 'batch/1', event: 'made' }] }))
      await store.claim(claim(here, 'queue', 2))
      const items = await drain(store, feed, [here])
      expect(eventsOf(items)).toEqual([
        { sequence: 1, subject: 'batch/1', event: 'made' },
        { sequence: 2, subject: jobKey(1), event: 'claimed 0' },
        { sequence: 3, subject: jobKey(2), event: 'claimed 1' },
      ])
      expect(items.map(({ revision }) => revision)).toEqual([1, 2])
    },
  },
  {
    title: '[S17] a claim takes at most what the limit leaves, and counts each record it takes',
    run: async ({ store, room }) => {
      const here = room()
      await commitAll(store, change(here, { put: three, add: { running: 3 } }))
      const limited = () =>
        claim(here, 'queue', 3, { limits: [{ counter: 'running', max: 5 }], add: { running: 1 } })
      expect(keysOf((await store.claim(limited())).records)).toEqual([1, 2].map(jobKey))
      expect(await store.counters(here)).toEqual({ running: 5 })
      expect((await store.claim(limited())).records).toEqual([])
    },
  },
  {
    title: '[S17] of several limits the tightest holds, and a counter above its limit lets nothing through',
    run: async ({ store, room }) => {
      const here = room()
      await commitAll(store, change(here, { put: three, add: { wide: 1, tight: 4 } }))
      const limits = (tight: number) => [
        { counter: 'wide', max: 10 },
        { counter: 'tight', max: tight },
      ]
      expect((await store.claim(claim(here, 'queue', 3, { limits: limits(2) }))).records).toEqual([])
      expect((await store.claim(claim(here, 'queue', 3, { limits: limits(5) }))).records).toHaveLength(1)
    },
  },
  {
    title: '[S17] a limit on a counter that does not exist counts from 0, and max 0 takes nothing',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      const max = (n: number) => ({ limits: [{ counter: 'running', max: n }] })
      expect((await store.claim(claim(here, 'queue', 3, max(0)))).records).toEqual([])
      expect((await store.claim(claim(here, 'queue', 3, max(2)))).records).toHaveLength(2)
    },
  },
  {
    title: '[S17] a claim adds its counters once for each record, also counters it does not limit',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      await store.claim(claim(here, 'queue', 5, { add: { running: 1, waiting: -2 } }))
      expect(await store.counters(here)).toEqual({ running: 3, waiting: -6 })
    },
  },
  {
    title: '[S18] a claim that takes nothing is no revision and no event',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      await put(store, here, { key: jobKey(1), head: 'not queued' })
      expect(await store.claim(claim(here, 'queue', 3, { add: { running: 1 } }))).toEqual({ records: [] })
      expect(await store.claim(claim(here, 'queue', 0))).toEqual({ records: [] })
      expect(await store.counters(here)).toEqual({})
      expect(await put(store, here, { key: jobKey(2), head: 'h' })).toMatchObject({
        revision: 2,
        sequence: 0,
      })
      expect(await drain(store, feed, [here])).toEqual([])
    },
  },
  {
    title: '[S18] a claim in a partition never written answers nothing and makes nothing',
    run: async ({ store, room }) => {
      const here = room()
      expect(await store.claim(claim(here, 'queue', 3))).toEqual({ records: [] })
      expect(await put(store, here, { key: jobKey(1), head: 'h' })).toMatchObject({ revision: 1 })
    },
  },
  {
    title: '[S19] the same claim sent again names the same records and takes no others',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      const once = claim(here, 'queue', 2, { add: { running: 1 } })
      const first = await store.claim(once)
      expect(await store.claim(once)).toEqual(first)
      await put(store, here, queued(jobKey(4), 0))
      expect(keysOf((await store.claim(once)).records)).toEqual([1, 2].map(jobKey))
      expect(await store.counters(here)).toEqual({ running: 2 })
      expect(await store.queues(here)).toMatchObject([{ pending: 2 }])
    },
  },
  {
    title:
      '[S19] a claim sent again leaves out records that were requeued, taken by another claim or removed',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...[1, 2, 3, 4, 5].map((n) => queued(jobKey(n), n)))
      const once = claim(here, 'queue', 5)
      await store.claim(once)
      await put(store, here, queued(jobKey(1), 1), { key: jobKey(3), head: 'started', attempt: 'attempt 2' })
      const attempts = [{ attempt: 'of another', dueAt: farAway, event: 'e' }]
      expect(keysOf((await store.claim(claim(here, 'queue', 0, { attempts }))).records)).toEqual([jobKey(1)])
      await commitAll(store, change(here, { put: [queued(jobKey(2), 2)], remove: [jobKey(4)] }))
      expect((await store.claim(once)).records).toMatchObject([
        { key: jobKey(3), head: 'started', attempt: 'attempt 2' },
        { key: jobKey(5), attempt: 'attempt 4' },
      ])
    },
  },
  {
    title: '[S19] copies of one claim sent at the same time take its records once',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...three)
      const once = claim(here, 'queue', 1, { add: { running: 1 } })
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.claim(once)))
      for (const { records } of answers) expect(keysOf(records)).toEqual([jobKey(1)])
      expect(await store.counters(here)).toEqual({ running: 1 })
    },
  },
  {
    title: '[S32] a claim takes from no other queue and no other partition',
    run: async ({ store, room }) => {
      const [here, there] = [room(), room()]
      await put(store, here, ...three, queued(jobKey(4), 1, { queue: { name: 'queue-2', score: 1 } }))
      await put(store, there, ...three)
      await store.claim(claim(here, 'queue', 10, { add: { running: 1 } }))
      expect(await store.queues(here)).toMatchObject([{ queue: 'queue-2', pending: 1 }])
      expect(await store.queues(there)).toMatchObject([{ queue: 'queue', pending: 3 }])
      expect(await store.counters(there)).toEqual({})
      expect(await readOne(store, there, jobKey(1))).toMatchObject({ version: 1, attempt: null })
    },
  },
]
