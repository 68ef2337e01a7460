// The contract of reads and lists: order, bounds, merging, what leaves a list and when, and lists across partitions.

import { expect } from 'vitest'
import {
  type ContractCase,
  type ContractScene,
  change,
  commitAll,
  jobKey,
  keysOf,
  listKeys,
  put,
} from './contract-scene.ts'

const five = [1, 2, 3, 4, 5].map(jobKey)

async function roomWithFive({ store, room }: ContractScene): Promise<string> {
  const here = room()
  const shuffled = [3, 1, 5, 2, 4].map((n) => ({
    key: jobKey(n),
    head: `${n}`,
    body: `b${n}`,
    lists: ['all'],
  }))
  await put(store, here, ...shuffled)
  return here
}

export const listCases: readonly ContractCase[] = [
  {
    title: '[S28] a read answers in the order of the keys asked for, with null where there is no record',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      const keys = [jobKey(4), 'job/none', jobKey(1), jobKey(4)]
      const records = await scene.store.read(here, keys)
      expect(records.map((record) => record?.key ?? null)).toEqual([jobKey(4), null, jobKey(1), jobKey(4)])
    },
  },
  {
    title: '[S28] a read of no keys, or in a partition never written, answers without making anything',
    run: async ({ store, room }) => {
      const here = room()
      expect(await store.read(here, [])).toEqual([])
      expect(await store.read(here, [jobKey(1)])).toEqual([null])
      expect(await put(store, here, { key: jobKey(1), head: 'h' })).toMatchObject({ revision: 1 })
    },
  },
  {
    title: '[S28] a read that follows an answered commit sees it, every time',
    run: async ({ store, room }) => {
      const here = room()
      for (let n = 1; n <= 50; n++) {
        await put(store, here, { key: jobKey(1), head: `${n}` })
        expect(await store.read(here, [jobKey(1)])).toMatchObject([{ head: `${n}`, version: n }])
      }
    },
  },
  {
    title: '[S11] the oldest page is in the order of keys, whatever the order they were put in',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      expect(await listKeys(scene.store, { partition: here, lists: ['all'] })).toEqual(five)
    },
  },
  {
    title: '[S11] the newest page is in the opposite order',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      const keys = await listKeys(scene.store, { partition: here, lists: ['all'], order: 'newest' })
      expect(keys).toEqual(five.toReversed())
    },
  },
  {
    title: '[S11] both bounds are exclusive, in both orders',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      const inside = { partition: here, lists: ['all'], after: jobKey(1), before: jobKey(4) }
      expect(await listKeys(scene.store, inside)).toEqual([jobKey(2), jobKey(3)])
      expect(await listKeys(scene.store, { ...inside, order: 'newest' })).toEqual([jobKey(3), jobKey(2)])
    },
  },
  {
    title: '[S11] bounds need not be keys that exist',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      const inside = { partition: here, lists: ['all'], after: `${jobKey(2)}-`, before: 'job/000004-' }
      expect(await listKeys(scene.store, inside)).toEqual([jobKey(3), jobKey(4)])
    },
  },
  {
    title: '[S11] a page ends at its limit, and its last key is the cursor of the next',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      const page = { partition: here, lists: ['all'], limit: 2 }
      expect(await listKeys(scene.store, page)).toEqual([jobKey(1), jobKey(2)])
      expect(await listKeys(scene.store, { ...page, after: jobKey(2) })).toEqual([jobKey(3), jobKey(4)])
      expect(await listKeys(scene.store, { ...page, after: jobKey(4) })).toEqual([jobKey(5)])
      expect(await listKeys(scene.store, { ...page, after: jobKey(5) })).toEqual([])
      expect(await listKeys(scene.store, { ...page, order: 'newest', before: jobKey(4) })).toEqual([
        jobKey(3),
        jobKey(2),
      ])
    },
  },
  {
    title: '[S11] a page holds whole records, and an unknown list or an empty span is an empty page',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      const page = { partition: here, order: 'oldest', limit: 1 } as const
      expect(await scene.store.list({ ...page, lists: ['all'] })).toEqual([
        { partition: here, key: jobKey(1), version: 1, head: '1', attempt: null, body: 'b1' },
      ])
      expect(await scene.store.list({ ...page, lists: ['none'] })).toEqual([])
      expect(await scene.store.list({ ...page, lists: [] })).toEqual([])
      expect(
        await scene.store.list({ ...page, lists: ['all'], after: jobKey(3), before: jobKey(3) }),
      ).toEqual([])
    },
  },
  {
    title: '[S11] keys are ordered by code point, also in a merged page',
    run: async ({ store, room }) => {
      const here = room()
      const keys = ['job/Z', 'job/a', 'job/é', 'job/～', 'job/😀']
      await put(store, here, ...keys.toReversed().map((key) => ({ key, head: 'h', lists: ['all', 'more'] })))
      expect(await listKeys(store, { partition: here, lists: ['all'] })).toEqual(keys)
      expect(await listKeys(store, { partition: here, lists: ['all', 'more'] })).toEqual(keys)
    },
  },
  {
    title: '[S12] several lists are merged into one order',
    run: async ({ store, room }) => {
      const here = room()
      await put(store, here, ...five.map((key, n) => ({ key, head: 'h', lists: [n % 2 ? 'odd' : 'even'] })))
      const merged = { partition: here, lists: ['odd', 'even'] }
      expect(await listKeys(store, merged)).toEqual(five)
      expect(await listKeys(store, { ...merged, limit: 3 })).toEqual(five.slice(0, 3))
      expect(await listKeys(store, { ...merged, order: 'newest', limit: 3 })).toEqual([
        jobKey(5),
        jobKey(4),
        jobKey(3),
      ])
    },
  },
  {
    title: '[S12] a record in several of the lists asked for is named once and does not shorten the page',
    run: async ({ store, room }) => {
      const here = room()
      await put(
        store,
        here,
        ...five.map((key) => ({ key, head: 'h', lists: ['one', 'two'], wideLists: [`${here}-w`] })),
      )
      const merged = { partition: here, lists: ['one', 'two', `${here}-w`] }
      expect(await listKeys(store, merged)).toEqual(five)
      expect(await listKeys(store, { ...merged, limit: 4 })).toEqual(five.slice(0, 4))
    },
  },
  {
    title: '[S7] a put leaves the lists it does not name and enters those it does',
    run: async ({ store, room, name }) => {
      const here = room()
      const [wide, wider] = [name(), name()]
      await put(store, here, { key: jobKey(1), head: 'h', lists: ['stays', 'left'], wideLists: [wide] })
      await put(store, here, { key: jobKey(1), head: 'h', lists: ['stays', 'entered'], wideLists: [wider] })
      const holds = async (list: string) => (await listKeys(store, { partition: here, lists: [list] })).length
      expect(await Promise.all(['stays', 'left', 'entered', wide, wider].map(holds))).toEqual([1, 0, 1, 0, 1])
      expect(await listKeys(store, { partition: null, lists: [wide] })).toEqual([])
      expect(await listKeys(store, { partition: null, lists: [wider] })).toEqual([jobKey(1)])
    },
  },
  {
    title: '[S7] a put that names no lists leaves all of them, and the record can still be read',
    run: async (scene) => {
      const here = await roomWithFive(scene)
      await put(scene.store, here, { key: jobKey(3), head: 'gone from lists' })
      expect(await listKeys(scene.store, { partition: here, lists: ['all'] })).not.toContain(jobKey(3))
      expect(await scene.store.read(here, [jobKey(3)])).toMatchObject([{ head: 'gone from lists' }])
    },
  },
  {
    title: '[S8] a removed record is gone from reads, lists, wide lists and its queue',
    run: async ({ store, room, name }) => {
      const here = room()
      const wide = name()
      const queue = { name: 'queue', score: 1 }
      await put(store, here, { key: jobKey(1), head: 'h', lists: ['all'], wideLists: [wide], queue })
      await commitAll(store, change(here, { remove: [jobKey(1)] }))
      expect(await store.read(here, [jobKey(1)])).toEqual([null])
      expect(await listKeys(store, { partition: here, lists: ['all', wide] })).toEqual([])
      expect(await listKeys(store, { partition: null, lists: [wide] })).toEqual([])
      expect(await store.queues(here)).toEqual([])
    },
  },
  {
    title: '[S8] removing what does not exist is a change like any other',
    run: async ({ store, room }) => {
      const here = room()
      expect(await commitAll(store, change(here, { remove: ['job/none'] }))).toMatchObject({ revision: 1 })
    },
  },
  {
    title: '[S13] a wide list is answered within its partition and across all of them, in the order of keys',
    run: async ({ store, room, name }) => {
      const rooms = Array.from({ length: 7 }, () => room())
      const wide = name()
      for (let n = 0; n < 21; n++) {
        await put(store, rooms[n % 7] ?? '', { key: jobKey(n), head: 'h', wideLists: [wide] })
      }
      const all = Array.from({ length: 21 }, (_, n) => jobKey(n))
      expect(await listKeys(store, { partition: null, lists: [wide] })).toEqual(all)
      expect(await listKeys(store, { partition: rooms[2] ?? '', lists: [wide] })).toEqual(
        [2, 9, 16].map(jobKey),
      )
    },
  },
  {
    title:
      '[S13] a partition that begins with one new record is among those that a wide list is answered from',
    run: async ({ store, room, name }) => {
      const wide = name()
      await put(store, room(), { key: jobKey(1), expect: 0, head: 'h', lists: ['own'], wideLists: [wide] })
      expect(await listKeys(store, { partition: null, lists: [wide] })).toEqual([jobKey(1)])
    },
  },
  {
    title: '[S13] a page across partitions says where each record lives',
    run: async ({ store, room, name }) => {
      const [here, there] = [room(), room()]
      const wide = name()
      await put(store, here, { key: jobKey(2), head: 'two', wideLists: [wide] })
      await put(store, there, { key: jobKey(1), head: 'one', wideLists: [wide] })
      const page = await store.list({ partition: null, lists: [wide], order: 'oldest', limit: 10 })
      expect(page).toMatchObject([
        { partition: there, key: jobKey(1), head: 'one', version: 1 },
        { partition: here, key: jobKey(2), head: 'two', version: 1 },
      ])
    },
  },
  {
    title: '[S13] cursors walk a merge of wide lists across partitions without gap or repetition, both ways',
    run: async ({ store, room, name }) => {
      const rooms = Array.from({ length: 5 }, () => room())
      const [pending, running] = [name(), name()]
      const all = Array.from({ length: 23 }, (_, n) => jobKey(n))
      for (const [n, key] of all.entries()) {
        const wideLists = n % 3 === 0 ? [pending, running] : [n % 3 === 1 ? pending : running]
        await put(store, rooms[n % 5] ?? '', { key, head: 'h', wideLists })
      }
      const lists = [pending, running]
      const walk = async (order: 'oldest' | 'newest'): Promise<string[]> => {
        const seen: string[] = []
        for (;;) {
          const last = seen.at(-1)
          const bound = last === undefined ? {} : order === 'oldest' ? { after: last } : { before: last }
          const page = await store.list({ partition: null, lists, order, limit: 4, ...bound })
          if (page.length === 0) return seen
          seen.push(...keysOf(page))
        }
      }
      expect(await walk('oldest')).toEqual(all)
      expect(await walk('newest')).toEqual(all.toReversed())
    },
  },
  {
    title: '[S12] a page across many partitions is full although every record stands in several of its lists',
    run: async ({ store, room, name }) => {
      const rooms = Array.from({ length: 6 }, () => room())
      const wideLists = [name(), name()]
      const inTwoRooms = Array.from({ length: 30 }, (_, n) => ({ key: jobKey(n), head: 'h', wideLists }))
      for (const parity of [0, 1]) {
        await put(store, rooms[parity] ?? '', ...inTwoRooms.filter((_, n) => n % 2 === parity))
      }
      for (const each of rooms.slice(2)) await put(store, each, { key: jobKey(99), head: 'h', wideLists })
      const page = { partition: null, lists: wideLists, limit: 20 }
      expect(await listKeys(store, page)).toEqual(keysOf(inTwoRooms).slice(0, 20))
      const newest = await listKeys(store, { ...page, order: 'newest', before: jobKey(99) })
      expect(newest).toEqual(keysOf(inTwoRooms).toReversed().slice(0, 20))
    },
  },
  {
    title: '[S13] a list that is not wide is not answered across partitions',
    run: async ({ store, room, name }) => {
      const list = name()
      await put(store, room(), { key: jobKey(1), head: 'h', lists: [list] })
      expect(await listKeys(store, { partition: null, lists: [list] })).toEqual([])
    },
  },
]
