// The contract of partitions, time and closing: rooms do not touch each other whatever they are called, the store has
// one time, and a closed store says so.

import { StoreUnavailable } from '@millrace/server'
import { expect } from 'vitest'
import {
  type ContractCase,
  change,
  claim,
  commitAll,
  jobKey,
  listKeys,
  put,
  queued,
  readOne,
} from './contract-scene.ts'
import { hasEvent, positionNow, readUntil } from './feed-reader.ts'

const key = jobKey(1)

// A store in another process is asked for its time now and then; in between it is reckoned.
const clockToleranceMs = 100

export const partitionCases: readonly ContractCase[] = [
  {
    title: '[S32] one key in several partitions is several records',
    run: async ({ store, room }) => {
      const [here, there] = [room(), room()]
      await put(store, here, { key, head: 'here', lists: ['all'] })
      await put(store, there, { key, head: 'there', lists: ['all'] })
      await commitAll(store, change(there, { remove: [key] }))
      expect(await readOne(store, here, key)).toMatchObject({ head: 'here', version: 1 })
      expect(await listKeys(store, { partition: there, lists: ['all'] })).toEqual([])
    },
  },
  {
    title: '[S32] partitions whose names begin alike are apart in reads, lists, queues, counters and claims',
    run: async ({ store, room }) => {
      const stem = room()
      const rooms = [stem, `${stem}-b`, `${stem}b`, `${stem}/b`, `${stem}:b`, `${stem} b`, stem.toUpperCase()]
      for (const [n, each] of rooms.entries()) {
        const add = { running: n + 1 }
        await commitAll(store, change(each, { put: [queued(key, n, { head: each, lists: ['all'] })], add }))
      }
      await store.claim(claim(stem, 'queue', 5, { add: { running: 100 } }))
      for (const [n, each] of rooms.entries()) {
        expect(await readOne(store, each, key)).toMatchObject({ partition: each, head: each })
        expect(await listKeys(store, { partition: each, lists: ['all'] })).toEqual([key])
        expect(await store.counters(each)).toEqual({ running: n === 0 ? 101 : n + 1 })
        const waiting = n === 0 ? [] : [{ partition: each, queue: 'queue', pending: 1, headScore: n }]
        expect(await store.queues(each)).toEqual(waiting)
      }
    },
  },
  {
    title: '[S32] expectations look at their own partition only',
    run: async ({ store, room }) => {
      const [here, there] = [room(), room()]
      await put(store, here, { key, head: 'h' })
      const fresh = change(there, { expect: { [key]: 0 }, put: [{ key, head: 'h' }] })
      expect(await store.commit(fresh)).toEqual({ outcome: 'committed', revision: 1, sequence: 0 })
    },
  },
  {
    title: '[S32] revisions and sequence numbers of one partition do not move those of another',
    run: async ({ store, room }) => {
      const [here, there] = [room(), room()]
      const event = { announce: [{ subject: key, event: 'e' }] }
      for (let n = 0; n < 5; n++) await commitAll(store, change(here, event))
      expect(await commitAll(store, change(there, event))).toMatchObject({ revision: 1, sequence: 1 })
      expect(await commitAll(store, change(here, event))).toMatchObject({ revision: 6, sequence: 6 })
    },
  },
  {
    title: '[S34] what was answered is there when the store is opened again, and numbers go on',
    run: async ({ openOwn }) => {
      const { store, reopen } = await openOwn()
      if (!reopen) return expect(reopen, 'this store lives as long as its process').toBeUndefined()
      const once = change('room', {
        put: [queued(key, 5, { body: 'b', lists: ['all'], wideLists: ['wide'], dueAt: 7 })],
        add: { running: 1 },
        announce: [{ subject: key, event: 'made' }],
      })
      const answer = await store.commit(once)
      await store.close()
      const again = await reopen()
      expect(await again.commit(once)).toEqual(answer)
      expect(await readOne(again, 'room', key)).toMatchObject({ version: 1, body: 'b' })
      expect(await listKeys(again, { partition: null, lists: ['wide'] })).toEqual([key])
      expect(await again.queues()).toEqual([{ partition: 'room', queue: 'queue', pending: 1, headScore: 5 }])
      expect(await again.counters('room')).toEqual({ running: 1 })
      expect(await again.due(10, 10)).toEqual([{ partition: 'room', key, dueAt: 7 }])
      expect(await put(again, 'room', { key: jobKey(2), head: 'h' })).toMatchObject({
        revision: 2,
        sequence: 1,
      })
    },
  },
  {
    title: '[S27] a position from before the store was opened again misses nothing without a reset',
    run: async ({ openOwn }) => {
      const { store, reopen } = await openOwn()
      if (!reopen) return expect(reopen, 'this store lives as long as its process').toBeUndefined()
      const position = await positionNow(store)
      await commitAll(store, change('room', { announce: [{ subject: key, event: 'before' }] }))
      await store.close()
      const again = await reopen()
      const feed = again.feed(position)
      await feed.ready
      await commitAll(again, change('room', { announce: [{ subject: key, event: 'after' }] }))
      const items = await readUntil(feed, (item) => hasEvent(item, 'after'))
      const told = items[0]?.kind === 'reset' || items.some((item) => hasEvent(item, 'before'))
      expect(told).toBe(true)
    },
  },
  {
    title: '[S33] every call to a closed store is refused with StoreUnavailable',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', queued(key, 1))
      await store.close()
      const calls = [
        store.read('room', [key]),
        store.list({ partition: 'room', lists: ['all'], order: 'oldest', limit: 1 }),
        store.queues(),
        store.counters('room'),
        store.commit(change('room', {})),
        store.claim(claim('room', 'queue', 1)),
        store.due(1, 1),
      ]
      for (const outcome of await Promise.allSettled(calls)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
      }
    },
  },
  {
    title: '[S33] closing waits for the changes under way, and each is answered truly',
    run: async ({ openOwn }) => {
      const { store, reopen } = await openOwn()
      const changes = Array.from({ length: 30 }, (_, n) =>
        change('room', { put: [{ key: jobKey(n), head: 'h' }] }),
      )
      const underWay = Promise.allSettled(changes.map((each) => store.commit(each)))
      await store.close()
      const outcomes = await underWay
      expect(outcomes.map(({ status }) => status)).toEqual(Array(30).fill('fulfilled'))
      if (!reopen) return
      expect(
        await (await reopen()).read(
          'room',
          changes.map((_, n) => jobKey(n)),
        ),
      ).not.toContain(null)
    },
  },
  {
    title: '[S33] closing a store ends its feeds, and closing it twice is closing it once',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      const feed = store.feed('now')
      await feed.ready
      const ended = (async () => {
        for await (const _item of feed);
      })().then(
        () => 'ended',
        (fault: unknown) => (fault instanceof StoreUnavailable ? 'ended' : fault),
      )
      await store.close()
      await store.close()
      expect(await ended).toBe('ended')
    },
  },
  {
    title: '[S35] the time of a store is in whole milliseconds, and a clock that was handed in is that time',
    run: async ({ openOwn, store }) => {
      const { store: timed } = await openOwn({ now: () => 42_000 })
      expect(timed.now()).toBe(42_000)
      expect(Number.isSafeInteger(store.now())).toBe(true)
    },
  },
  {
    title: '[S35] an event carries the time at which the store committed it',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      const before = store.now()
      await commitAll(store, change(here, { announce: [{ subject: key, event: here }] }))
      const after = store.now()
      const item = (await readUntil(feed, (each) => hasEvent(each, here))).at(-1)
      const at = item?.kind === 'events' ? item.at : Number.NaN
      expect(at).toBeGreaterThanOrEqual(before - clockToleranceMs)
      expect(at).toBeLessThanOrEqual(after + clockToleranceMs)
    },
  },
  {
    title: '[S36] a store says in words what an answered commit survives',
    run: async ({ store }) => {
      const { durability, survivesPowerLoss, survivesProcessDeath } = await store.describe()
      expect(durability.length).toBeGreaterThan(20)
      expect(survivesProcessDeath || !survivesPowerLoss).toBe(true)
    },
  },
]
