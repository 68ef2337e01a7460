// Reads a feed up to a point that the caller can recognise, so that "nothing else came" is proved by what came after
// it and not by waiting.

import { randomUUID } from 'node:crypto'
import type { Feed, FeedEvent, FeedItem, FeedPosition, Partition, Store } from '@millrace/server'
import { change, commitAll } from './contract-scene.ts'

type EventsItem = Extract<FeedItem, { kind: 'events' }>

/** Items up to and including the first for which `last` holds. Closes the feed. */
export async function readUntil(feed: Feed, last: (item: FeedItem) => boolean): Promise<FeedItem[]> {
  const items: FeedItem[] = []
  try {
    for await (const item of feed) {
      items.push(item)
      if (last(item)) return items
    }
    throw new Error(`the feed ended after ${items.length} items`)
  } finally {
    await feed.close()
  }
}

export function hasEvent(item: FeedItem, event: string): boolean {
  return item.kind === 'events' && item.events.some((each) => each.event === event)
}

/** Every change of these partitions the feed still owes, read up to a marker written into each of them. */
export async function drain(
  store: Store,
  feed: Feed,
  partitions: readonly Partition[],
): Promise<EventsItem[]> {
  const open = new Map<Partition, string>(partitions.map((partition) => [partition, randomUUID()]))
  await feed.ready
  for (const [partition, event] of open) {
    await commitAll(store, change(partition, { announce: [{ subject: 'marker/drain', event }] }))
  }
  const items = await readUntil(feed, (item) => {
    if (item.kind === 'events' && hasEvent(item, open.get(item.partition) ?? '')) open.delete(item.partition)
    return open.size === 0
  })
  return items.filter((item) => item.kind === 'events').filter(isAbout(partitions))
}

function isAbout(partitions: readonly Partition[]): (item: EventsItem) => boolean {
  return (item) =>
    partitions.includes(item.partition) &&
    item.events.length > 0 &&
    item.events.every(({ subject }) => subject !== 'marker/drain')
}

export async function positionNow(store: Store): Promise<FeedPosition> {
  const feed = store.feed('now')
  const position = await feed.ready
  await feed.close()
  return position
}

export function eventsOf(items: readonly EventsItem[]): FeedEvent[] {
  return items.flatMap(({ events }) => events)
}
