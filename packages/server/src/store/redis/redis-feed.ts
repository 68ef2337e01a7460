// Reads the log of every shard, one connection each (Cluster refuses a single read over shards), into one iteration.
// A shard's position is its last entry, that entry's number and the replication id of the server it came from: a
// server that was restored, lost a failover or trimmed what was not read shows by them, and the reader is told to
// refetch. A server that refuses for good ends the feed.

import type { Feed, FeedItem, FeedPosition } from '../../ports/store.ts'
import type { Keys } from './keys.ts'
import type { RedisClient } from './redis-connection.ts'
import { isBehind, type ShardPosition, ShardReader } from './shard-reader.ts'

export interface FeedSource {
  readonly connect: () => RedisClient
  readonly keys: Keys
  readonly epoch: string
  /** What this server waits for from the same Redis; null for nothing. */
  readonly awaited: () => Promise<unknown> | null
}

// Readers wait for the consumer at this many items, so that a slow one holds memory of bounded size.
const bufferedAtMost = 5_000

// Redis tells a reader of the log before it answers whoever made the change, and in 99 of 100 jobs of a quiet server a
// worker waited for that answer. So long an answer is let go first; one that is slower has lost its connection.
const answersFirstMs = 50

export class RedisFeed implements Feed {
  readonly ready: Promise<FeedPosition>
  readonly #source: FeedSource
  readonly #onClose: (feed: RedisFeed) => void
  readonly #readers: ShardReader[]
  readonly #buffer: FeedItem[] = []
  #position: ShardPosition[] = []
  #arrived: (() => void) | null = null
  #drained: (() => void)[] = []
  #fault: unknown = null
  #closed = false

  constructor(source: FeedSource, from: FeedPosition | 'now', onClose: (feed: RedisFeed) => void) {
    this.#source = source
    this.#onClose = onClose
    const { keys } = source
    this.#readers = Array.from(
      { length: keys.shards },
      (_, shard) => new ShardReader(source.connect(), keys.shard(shard)),
    )
    this.ready = this.#start(from)
    this.ready.catch((fault) => this.#fail(fault))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const reader of this.#readers) reader.close()
    this.#release()
    this.#onClose(this)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedItem, void, undefined> {
    while (!this.#closed) {
      const item = this.#buffer.shift()
      if (item) yield item
      else if (this.#fault) throw this.#fault
      else await this.#nextArrival()
      if (this.#buffer.length < bufferedAtMost / 2) this.#letReadersOn()
    }
  }

  async #start(from: FeedPosition | 'now'): Promise<FeedPosition> {
    const ends = await Promise.all(this.#readers.map((reader) => reader.end()))
    const wanted = from === 'now' ? null : parsePosition(from, this.#source)
    const usable = wanted !== null && ends.every((end, shard) => !isBehind(wanted[shard], end))
    this.#position = usable ? wanted : ends.map(({ position }) => position)
    if (from !== 'now' && !usable) this.#push({ kind: 'reset', position: this.#format() })
    const ready = this.#format()
    this.#readers.forEach((_, shard) => void this.#follow(shard).catch((fault) => this.#fail(fault)))
    return ready
  }

  async #follow(shard: number): Promise<void> {
    const reader = this.#readers[shard]
    while (reader && !this.#closed) {
      const position = this.#position[shard]
      if (!position) return
      const read = await reader.read(position)
      if (read && read.entries.length > 0) await this.#answersFirst()
      if (this.#closed || read === null) return
      if (read.reset) {
        this.#position[shard] = read.reset
        this.#push({ kind: 'reset', position: this.#format() })
      }
      for (const { entry, id, number } of read.entries) {
        this.#position[shard] = { id, number, server: position.server }
        this.#push({ kind: 'events', position: this.#format(), ...entry })
      }
      if (this.#buffer.length >= bufferedAtMost) await this.#drainedEnough()
    }
  }

  // In the same turn as the answer, though: whoever was answered must not find that this server still knows the old.
  #answersFirst(): Promise<void> | null {
    const awaited = this.#source.awaited()
    if (awaited === null) return null
    return new Promise((resolve) => {
      const handOn = (): void => {
        clearTimeout(timer)
        setImmediate(resolve)
      }
      // A process that stood still finds its timer before the answer, which is read before the immediate.
      const timer = setTimeout(handOn, answersFirstMs)
      awaited.then(handOn, handOn)
    })
  }

  #push(item: FeedItem): void {
    this.#buffer.push(item)
    this.#arrived?.()
  }

  #fail(fault: unknown): void {
    if (this.#closed) return
    this.#fault ??= fault
    for (const reader of this.#readers) reader.close()
    this.#arrived?.()
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve
    })
  }

  #drainedEnough(): Promise<void> {
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  #letReadersOn(): void {
    for (const resume of this.#drained.splice(0)) resume()
  }

  #release(): void {
    this.#arrived?.()
    this.#letReadersOn()
  }

  #format(): FeedPosition {
    const vector = this.#position.map(({ id, number, server }) => `${id}:${number}@${server}`)
    return `${this.#source.epoch}|${vector.join(',')}`
  }
}

function parsePosition(text: FeedPosition, { epoch, keys }: FeedSource): ShardPosition[] | null {
  const [itsEpoch, vector = ''] = text.split('|')
  const positions = vector.split(',').flatMap((part) => {
    const [, id = '', number, server = ''] = /^(\d+-\d+):(\d+)@(\w+)$/.exec(part) ?? []
    return number === undefined ? [] : [{ id, number: Number(number), server }]
  })
  return itsEpoch === epoch && positions.length === keys.shards ? positions : null
}
