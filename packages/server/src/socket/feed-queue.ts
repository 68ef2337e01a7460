// Tells sockets of committed events a moment after this replica heard of them. On Redis the log brings a change before the
// change's own answer is here: told at once, everybody who listens came before the worker that is to run the job.

import type { FeedBatch, FeedListener } from '../feed/feed-relay.ts'
import type { RoomFeed } from './room-feed.ts'

/** Longer than an answer stays behind its event; nobody who looks at a screen notices. */
const behindMs = 2

export class FeedQueue implements FeedListener {
  readonly #feed: RoomFeed
  #batches: FeedBatch[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(feed: RoomFeed) {
    this.#feed = feed
  }

  onBatch(batch: FeedBatch): void {
    this.#batches.push(batch)
    this.#timer ??= setTimeout(() => this.tell(), behindMs)
  }

  onReset(epoch: string): void {
    this.tell()
    this.#feed.onReset(epoch)
  }

  /** Everything that was heard of. Whoever joins must come after it: the numbers it is to go on from include it. */
  tell(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const batches = this.#batches
    this.#batches = []
    for (const batch of batches) this.#feed.onBatch(batch)
  }

  position(partition: string, channel: string): ReturnType<RoomFeed['position']> {
    this.tell()
    return this.#feed.position(partition, channel)
  }
}
