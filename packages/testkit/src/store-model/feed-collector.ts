// Reads one feed to its end and keeps what it brought, by partition, so that many histories can share one reader.

import type { FeedEvent, Partition, Store } from '@millrace/server'

export interface CollectedEvent extends FeedEvent {
  readonly revision: number
}

export interface FeedCollector {
  readonly ready: Promise<unknown>
  /** Everything the partition said up to and including this event; forgotten once handed out. */
  until(partition: Partition, event: string): Promise<CollectedEvent[]>
  close(): Promise<void>
}

export function collectFeed(store: Store): FeedCollector {
  const feed = store.feed('now')
  const events = new Map<Partition, CollectedEvent[]>()
  const watchers = new Set<() => void>()
  let fault: unknown = null

  const reading = (async () => {
    for await (const item of feed) {
      if (item.kind === 'reset') throw new Error('the feed was reset while it was read')
      const collected = events.get(item.partition) ?? []
      collected.push(...item.events.map((event) => ({ ...event, revision: item.revision })))
      events.set(item.partition, collected)
      for (const watcher of [...watchers]) watcher()
    }
  })().catch((reason: unknown) => {
    fault = reason
    for (const watcher of [...watchers]) watcher()
  })

  return {
    ready: feed.ready,
    until: (partition, event) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const collected = events.get(partition) ?? []
          const complete = collected.some((each) => each.event === event)
          if (!complete && fault === null) return
          watchers.delete(look)
          events.delete(partition)
          if (complete) resolve(collected)
          else reject(fault)
        }
        watchers.add(look)
        look()
      }),
    close: async () => {
      await feed.close()
      await reading
    },
  }
}
