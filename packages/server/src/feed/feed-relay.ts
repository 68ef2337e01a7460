// Follows the store's log and hands every change to those in this process who wait for it: sockets, memories, placement.
// It never makes an event of its own, so nobody can hear of a change that was not committed.

import { newId } from '../new-id.ts'
import type { Feed, FeedEvent, FeedPosition, Partition, Store } from '../ports/store.ts'

export interface FeedBatch {
  readonly partition: Partition
  readonly at: number
  readonly events: readonly FeedEvent[]
}

export interface FeedListener {
  onBatch(batch: FeedBatch): void
  /** The place in the log was lost, so anything may have changed: forget what is remembered, tell clients to refetch. */
  onReset(epoch: string): void
}

export interface FeedRelayParts {
  readonly store: Store
  readonly onFault: (fault: unknown) => void
  /** Waits before the log is read again after a fault. */
  readonly pause: () => Promise<void>
}

export class FeedRelay {
  readonly #parts: FeedRelayParts
  readonly #listeners: FeedListener[] = []
  readonly #sequences = new Map<Partition, number>()
  #position: FeedPosition | 'now' = 'now'
  #feed: Feed | null = null
  #following: Promise<void> = Promise.resolve()
  #stopped = false
  #epoch: string

  constructor(parts: FeedRelayParts) {
    this.#parts = parts
    this.#epoch = newId(parts.store.now())
  }

  get epoch(): string {
    return this.#epoch
  }

  /** The last number that was handed on; null before the first since this relay began. */
  sequenceOf(partition: Partition): number | null {
    return this.#sequences.get(partition) ?? null
  }

  listen(listener: FeedListener): void {
    this.#listeners.push(listener)
  }

  /** Resolves when everything committed from now on will be heard. */
  async start(): Promise<void> {
    const feed = this.#open()
    this.#position = await feed.ready
    this.#following = this.#follow(feed)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#feed?.close()
    await this.#following
  }

  #open(): Feed {
    this.#feed = this.#parts.store.feed(this.#position)
    return this.#feed
  }

  async #follow(first: Feed): Promise<void> {
    let feed = first
    while (!this.#stopped) {
      try {
        for await (const item of feed) {
          this.#position = item.position
          if (item.kind === 'reset') this.#reset()
          else this.#hand(item)
        }
      } catch (fault) {
        this.#parts.onFault(fault)
      }
      if (this.#stopped) return
      await this.#parts.pause()
      if (this.#stopped) return
      feed = this.#open()
      // A reader that cannot get into place says so by its items; its own promise must not end the process.
      feed.ready.catch(() => undefined)
    }
  }

  #hand({ partition, at, events }: FeedBatch): void {
    const last = events.at(-1)
    if (!last) return
    for (const listener of this.#listeners) listener.onBatch({ partition, at, events })
    this.#sequences.set(partition, last.sequence)
  }

  #reset(): void {
    this.#epoch = newId(this.#parts.store.now())
    this.#sequences.clear()
    for (const listener of this.#listeners) listener.onReset(this.#epoch)
  }
}
