// The contract of queues: their order, how a record enters and leaves one, and what `queues` says about them.

import { expect } from 'vitest'
import { type ContractCase, change, claim, commitAll, jobKey, keysOf, put, queued } from './contract-scene.ts'

export const queueCases: readonly ContractCase[] = [
  {
    title: '[S14] the lowest score is claimed first',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(1), 30), queued(jobKey(2), 10), queued(jobKey(3), 20))
      const { records } = await store.claim(claim(here, 'queue', 3))
      expect(keysOf(records)).toEqual([2, 3, 1].map(jobKey))
    },
  },
  {
    title: '[S14] equal scores are claimed in the order of keys',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(3), 7), queued(jobKey(1), 7), queued(jobKey(2), 7))
      const { records } = await store.claim(claim(here, 'queue', 3))
      expect(keysOf(records)).toEqual([1, 2, 3].map(jobKey))
    },
  },
  {
    title: '[S14] scores are ordered as numbers: negative before 0, 9 before 10, up to the size of instants',
    run: async ({ store, room }) => {
      const here = room()
      const scores = [-(2 ** 50), -1000, -9, -1, 0, 1, 9, 10, 1_800_000_000_000, 2 ** 50]
      const puts = scores.map((score, n) => queued(jobKey(n), score)).toReversed()
      await put(store, here, ...puts)
      expect(await store.queues(here)).toMatchObject([{ headScore: -(2 ** 50) }])
      const { records } = await store.claim(claim(here, 'queue', scores.length))
      expect(keysOf(records)).toEqual(scores.map((_, n) => jobKey(n)))
    },
  },
  {
    title: '[S7] a put with another score moves the record within its queue',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(1), 1), queued(jobKey(2), 2))
      await put(store, here, queued(jobKey(1), 3))
      expect(await store.queues(here)).toEqual([
        { partition: here, queue: 'queue', pending: 2, headScore: 2 },
      ])
      expect(keysOf((await store.claim(claim(here, 'queue', 5))).records)).toEqual([2, 1].map(jobKey))
    },
  },
  {
    title: '[S7] a put that names another queue moves the record there',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(1), 1), queued(jobKey(2), 2))
      await put(store, here, queued(jobKey(1), 5, { queue: { name: 'other', score: 5 } }))
      expect(await store.queues(here)).toEqual([
        { partition: here, queue: 'other', pending: 1, headScore: 5 },
        { partition: here, queue: 'queue', pending: 1, headScore: 2 },
      ])
    },
  },
  {
    title: '[S7] a put that names no queue leaves it',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, queued(jobKey(1), 1))
      await put(store, here, { key: jobKey(1), head: 'held back' })
      expect(await store.queues(here)).toEqual([])
      expect((await store.claim(claim(here, 'queue', 1))).records).toEqual([])
    },
  },
  {
    title: '[S15] queues names depth and head score of every queue that is not empty, in the order of names',
    run: async ({ store, room }) => {
      const here = room()
      const inQueue = (name: string, score: number) => ({ queue: { name, score } })
      await put(
        store,
        here,
        { key: jobKey(1), head: 'h', ...inQueue('b', 4) },
        { key: jobKey(2), head: 'h', ...inQueue('b', 3) },
        { key: jobKey(3), head: 'h', ...inQueue('a', -2) },
        { key: jobKey(4), head: 'h', ...inQueue('emptied', 1) },
      )
      await commitAll(store, change(here, { remove: [jobKey(4)] }))
      expect(await store.queues(here)).toEqual([
        { partition: here, queue: 'a', pending: 1, headScore: -2 },
        { partition: here, queue: 'b', pending: 2, headScore: 3 },
      ])
    },
  },
  {
    title: '[S15] queues of all partitions come in the order of partition and name',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      for (const room of ['b', 'a-b', 'a', 'ab', '～', '😀']) {
        await put(store, room, queued(jobKey(1), 1), queued(jobKey(2), 2, { queue: { name: 'a', score: 2 } }))
      }
      const named = (await store.queues()).map(({ partition, queue }) => `${partition} ${queue}`)
      const rooms = ['a', 'a-b', 'ab', 'b', '～', '😀']
      expect(named).toEqual(rooms.flatMap((room) => [`${room} a`, `${room} queue`]))
    },
  },
  {
    title: '[S15] queues of a partition never written, or of an empty store, are none',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      expect(await store.queues()).toEqual([])
      expect(await store.queues('room')).toEqual([])
    },
  },
]
