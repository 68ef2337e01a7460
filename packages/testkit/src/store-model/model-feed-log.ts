// The model's log of events and its readers. A position is the log's own name and how many items were read.

import { randomUUID } from 'node:crypto'
import type { Announcement, Feed, FeedItem, FeedPosition } from '@millrace/server'
import type { ModelPartition } from './model-partition.ts'

export class ModelFeedLog {
  readonly #epoch = randomUUID()
  readonly #items: FeedItem[] = []
  #wake: () => void = () => {}
  #grown: Promise<void> = this.#untilWoken()
  #closed = false

  append(partition: ModelPartition, at: number, announced: readonly Announcement[]): void {
    if (announced.length === 0) return
    const first = partition.sequence + 1
    partition.sequence += announced.length
    this.#items.push({
      kind: 'events',
      position: this.#position(this.#items.length + 1),
      partition: partition.name,
      revision: partition.revision,
      at,
      events: announced.map(({ subject, event }, n) => ({ sequence: first + n, subject, event })),
    })
    this.#wake()
  }

  read(from: FeedPosition | 'now'): Feed {
    const start = from === 'now' ? this.#items.length : this.#offset(from)
    const reader = { closed: false }
    const items = this.#follow(start, reader)
    return {
      ready: Promise.resolve(this.#position(start ?? this.#items.length)),
      close: async () => {
        reader.closed = true
        this.#wake()
      },
      [Symbol.asyncIterator]: () => items,
    }
  }

  close(): void {
    this.#closed = true
    this.#wake()
  }

  /** Where the log stood when it was asked is fixed here: a generator would look only at its first step. */
  #follow(start: number | null, reader: { closed: boolean }): AsyncGenerator<FeedItem, void> {
    const resetAt = this.#items.length
    const log = this
    return (async function* () {
      if (start === null) yield { kind: 'reset', position: log.#position(resetAt) } as const
      for (let next = start ?? resetAt; ; next++) {
        while (next >= log.#items.length && !reader.closed && !log.#closed) await log.#grown
        const item = log.#items[next]
        if (!item || reader.closed || log.#closed) return
        yield item
      }
    })()
  }

  #position(offset: number): FeedPosition {
    return `${this.#epoch}:${offset}`
  }

  #offset(position: FeedPosition): number | null {
    const [epoch, offset] = position.split(':')
    return epoch === this.#epoch ? Number(offset) : null
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#grown = this.#untilWoken()
        resolve()
      }
    })
  }
}
