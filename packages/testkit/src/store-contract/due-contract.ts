// The contract of due: when a record is named, in which order, and until when. Each case asks a store of its own,
// because due looks across all partitions.

import { expect } from 'vitest'
import { type ContractCase, change, commitAll, jobKey, keysOf, put } from './contract-scene.ts'

const dueAt = (n: number, instant: number) => ({ key: jobKey(n), head: 'h', dueAt: instant })

export const dueCases: readonly ContractCase[] = [
  {
    title: '[S22] a record is due from its instant on, not a millisecond earlier',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', dueAt(1, 1_000))
      expect(await store.due(999, 10)).toEqual([])
      expect(await store.due(1_000, 10)).toEqual([{ partition: 'room', key: jobKey(1), dueAt: 1_000 }])
    },
  },
  {
    title: '[S22] due names the records of all partitions, the earliest first',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      const instants = [50, -10, 40, 0, 30, 9, 10]
      for (const [n, instant] of instants.entries()) await put(store, `room-${n % 4}`, dueAt(n, instant))
      const due = await store.due(45, 100)
      expect(due.map((record) => record.dueAt)).toEqual([-10, 0, 9, 10, 30, 40])
      expect(due[0]).toEqual({ partition: 'room-1', key: jobKey(1), dueAt: -10 })
    },
  },
  {
    title: '[S22] due names at most as many as asked for: the earliest ones, across partitions',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      for (let n = 0; n < 12; n++) await put(store, `room-${n % 5}`, dueAt(n, 100 - n))
      const due = await store.due(1_000, 4)
      expect(due.map((record) => record.dueAt)).toEqual([89, 90, 91, 92])
    },
  },
  {
    title: '[S22] one key in two partitions is due in both',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'here', dueAt(1, 1))
      await put(store, 'there', dueAt(1, 2))
      expect((await store.due(5, 10)).map(({ partition }) => partition)).toEqual(['here', 'there'])
    },
  },
  {
    title: '[S22] nothing is due in an empty store',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      expect(await store.due(Date.UTC(2999, 0, 1), 10)).toEqual([])
    },
  },
  {
    title: '[S23] a record stays due, however often it is asked for, until a change moves its instant',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', dueAt(1, 5))
      for (let n = 0; n < 3; n++) expect(keysOf(await store.due(10, 10))).toEqual([jobKey(1)])
      await put(store, 'room', dueAt(1, 20))
      expect(await store.due(10, 10)).toEqual([])
      expect(await store.due(20, 10)).toEqual([{ partition: 'room', key: jobKey(1), dueAt: 20 }])
    },
  },
  {
    title: '[S23] a put that names no instant takes the record out of what is due',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', dueAt(1, 5), dueAt(2, 6))
      await put(store, 'room', { key: jobKey(1), head: 'done' })
      expect(keysOf(await store.due(10, 10))).toEqual([jobKey(2)])
    },
  },
  {
    title: '[S23] a removed record is not due any more',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      await put(store, 'room', dueAt(1, 5), dueAt(2, 6))
      await commitAll(store, change('room', { remove: [jobKey(2)] }))
      expect(keysOf(await store.due(10, 10))).toEqual([jobKey(1)])
    },
  },
]
