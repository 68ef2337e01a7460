// The contract of the feed: every committed change once, in order, without gaps, from wherever a reader stood.

import type { FeedItem, Partition, Store } from '@millrace/server'
import { expect } from 'vitest'
import { type ContractCase, change, commitAll, jobKey, put } from './contract-scene.ts'
import { drain, eventsOf, hasEvent, positionNow, readUntil } from './feed-reader.ts'

async function announce(store: Store, partition: Partition, ...events: string[]): Promise<void> {
  await commitAll(
    store,
    change(partition, { announce: events.map((event) => ({ subject: jobKey(1), event })) }),
  )
}

const texts = (items: Parameters<typeof eventsOf>[0]): string[] => eventsOf(items).map(({ event }) => event)

const isOf =
  (room: Partition) =>
  (item: FeedItem): boolean =>
    item.kind === 'events' && item.partition === room

export const feedCases: readonly ContractCase[] = [
  {
    title: '[S31] one-letter names and texts, which a log may use for its own fields, come back as they were',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      const feed = store.feed('now')
      await feed.ready
      const letters = [...'abcdefghijklmnopqrstuvwxyz']
      for (const text of letters)
        await commitAll(store, change(text, { announce: [{ subject: text, event: text }] }))
      const heard: string[] = []
      for await (const item of feed) {
        if (item.kind === 'reset') expect.fail('the feed was reset')
        heard.push(
          [item.partition, ...item.events.flatMap(({ subject, event }) => [subject, event])].join(' '),
        )
        if (heard.length === letters.length) break
      }
      await feed.close()
      expect(heard.sort()).toEqual(letters.map((text) => [text, text, text].join(' ')))
    },
  },
  {
    title: '[S24] an event comes with its partition, its revision, its subject and its sequence number',
    run: async ({ openOwn }) => {
      const { store } = await openOwn()
      const feed = store.feed('now')
      await feed.ready
      await put(store, 'room', { key: jobKey(1), head: 'silent' })
      await commitAll(
        store,
        change('room', {
          put: [{ key: jobKey(1), head: 'h' }],
          announce: [
            { subject: jobKey(1), event: '{"type":"job"}' },
            { subject: 'room/room', event: '{"type":"room"}' },
          ],
        }),
      )
      const [item] = await drain(store, feed, ['room'])
      expect(item).toEqual({
        kind: 'events',
        position: expect.any(String),
        partition: 'room',
        revision: 2,
        at: expect.any(Number),
        events: [
          { sequence: 1, subject: jobKey(1), event: '{"type":"job"}' },
          { sequence: 2, subject: 'room/room', event: '{"type":"room"}' },
        ],
      })
    },
  },
  {
    title: '[S24] the answer to a commit says which sequence numbers its events have',
    run: async ({ store, room }) => {
      const here = room()
      const events = (count: number) => ({ announce: Array(count).fill({ subject: jobKey(1), event: 'e' }) })
      expect(await commitAll(store, change(here, events(3)))).toMatchObject({ sequence: 3 })
      expect(await commitAll(store, change(here, events(0)))).toMatchObject({ sequence: 3 })
      expect(await commitAll(store, change(here, events(2)))).toMatchObject({ sequence: 5 })
    },
  },
  {
    title: '[S24] each partition has its own sequence, from 1 on, without gaps and in order',
    run: async ({ store, room }) => {
      const rooms = Array.from({ length: 6 }, () => room())
      const feed = store.feed('now')
      await feed.ready
      for (let n = 0; n < 10; n++)
        await Promise.all(rooms.map((each) => announce(store, each, `${n}a`, `${n}b`)))
      const items = await drain(store, feed, rooms)
      for (const each of rooms) {
        const mine = items.filter(({ partition }) => partition === each)
        expect(eventsOf(mine).map(({ sequence }) => sequence)).toEqual(
          Array.from({ length: 20 }, (_, n) => n + 1),
        )
        expect(texts(mine)).toEqual(Array.from({ length: 10 }, (_, n) => [`${n}a`, `${n}b`]).flat())
        expect(mine.map(({ revision }) => revision)).toEqual(Array.from({ length: 10 }, (_, n) => n + 1))
      }
    },
  },
  {
    title: '[S24] two readers of the feed see the same',
    run: async ({ store, room }) => {
      const here = room()
      const feeds = [store.feed('now'), store.feed('now')]
      await Promise.all(feeds.map(({ ready }) => ready))
      for (let n = 0; n < 5; n++) await announce(store, here, `${n}`)
      const seen = await Promise.all(feeds.map((feed) => readUntil(feed, (item) => hasEvent(item, '4'))))
      const mine = seen.map((items) =>
        items.flatMap((item) => (isOf(here)(item) ? [{ ...item, position: '' }] : [])),
      )
      expect(mine[0]).toHaveLength(5)
      expect(mine[0]).toEqual(mine[1])
    },
  },
  {
    title: '[S25] a feed from a saved position goes on after it: nothing missed, nothing twice',
    run: async ({ store, room }) => {
      const here = room()
      const start = await positionNow(store)
      for (let n = 0; n < 10; n++) await announce(store, here, `${here} ${n}`)
      const firstHalf = await readUntil(store.feed(start), (item) => hasEvent(item, `${here} 4`))
      const saved = firstHalf.at(-1)?.position ?? ''
      const rest = await drain(store, store.feed(saved), [here])
      expect(texts(rest)).toEqual([5, 6, 7, 8, 9].map((n) => `${here} ${n}`))
    },
  },
  {
    title:
      '[S25] a feed from a saved position brings what was committed while nobody read, in several partitions',
    run: async ({ store, room }) => {
      const rooms = [room(), room(), room(), room()]
      const saved = await positionNow(store)
      for (let n = 0; n < 3; n++) for (const each of rooms) await announce(store, each, `${each} ${n}`)
      const items = await drain(store, store.feed(saved), rooms)
      const seen = rooms.map((each) => texts(items.filter(({ partition }) => partition === each)))
      expect(seen).toEqual(rooms.map((each) => [0, 1, 2].map((n) => `${each} ${n}`)))
    },
  },
  {
    title: '[S25] every item has a position to go on from, whichever partition it belongs to',
    run: async ({ store, room }) => {
      const rooms = [room(), room(), room()]
      const start = await positionNow(store)
      for (let n = 0; n < 4; n++) for (const each of rooms) await announce(store, each, `${each} ${n}`)
      const all = await drain(store, store.feed(start), rooms)
      for (const [index, { position }] of all.entries()) {
        const rest = await drain(store, store.feed(position), rooms)
        expect(texts(rest)).toHaveLength(all.length - index - 1)
      }
    },
  },
  {
    title: '[S26] a feed from now sees nothing from before and everything from when it is ready',
    run: async ({ store, room }) => {
      const here = room()
      await announce(store, here, 'before')
      const feed = store.feed('now')
      await feed.ready
      await announce(store, here, 'after')
      expect(texts(await drain(store, feed, [here]))).toEqual(['after'])
    },
  },
  {
    title: '[S26] a feed that waits is woken by the next change',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('now')
      await feed.ready
      const woken = readUntil(feed, (item) => hasEvent(item, here))
      await announce(store, here, here)
      expect((await woken).at(-1)).toMatchObject({ partition: here })
    },
  },
  {
    title: '[S26] closing a feed ends its loop',
    run: async ({ store }) => {
      const feed = store.feed('now')
      await feed.ready
      const ended = (async () => {
        for await (const _item of feed);
        return 'ended'
      })()
      await feed.close()
      expect(await ended).toBe('ended')
    },
  },
  {
    title: '[S27] a position the store does not know is answered by a reset, from which reading goes on',
    run: async ({ store, room }) => {
      const here = room()
      const feed = store.feed('not a position of this store')
      await feed.ready
      await announce(store, here, here)
      const items = await readUntil(feed, (item) => hasEvent(item, here))
      expect(items[0]).toEqual({ kind: 'reset', position: expect.any(String) })
      expect(items.filter(({ kind }) => kind === 'reset')).toHaveLength(1)
      const again = await drain(store, store.feed(items[0]?.position ?? ''), [here])
      expect(texts(again)).toEqual([here])
    },
  },
  {
    title: '[S27] a position of another store is answered by a reset',
    run: async ({ store, room, openOwn }) => {
      const here = room()
      const { store: other } = await openOwn()
      await announce(other, 'room', 'elsewhere')
      const feed = store.feed(await positionNow(other))
      await feed.ready
      await announce(store, here, here)
      const items = await readUntil(feed, (item) => hasEvent(item, here))
      expect(items[0]).toMatchObject({ kind: 'reset' })
    },
  },
]
