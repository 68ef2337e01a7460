// Reads the log of the embedded store from a position on. Woken by commits, never by a timer; a position of another
// opening of the file, or one the log no longer reaches back to, is answered with a reset. The log may leave a reader
// behind at any time, so this is asked with every page and not only at the start.

import type { Feed, FeedItem, FeedPosition } from '../../ports/store.ts'
import { readLogText } from '../log-text.ts'
import type { TailRow } from './log-tail.ts'
import type { LogEnd, LogPage, LogRow } from './thread-messages.ts'

const rowsAtOnce = 500

export interface LogSource {
  readonly epoch: string
  end(): Promise<LogEnd>
  /** The rows behind a position where this process still has them; null where they have to be asked for. */
  tail(after: number, limit: number): readonly TailRow[] | null
  page(after: number, limit: number): Promise<LogPage>
}

export class SqliteFeed implements Feed {
  readonly ready: Promise<FeedPosition>
  readonly #source: LogSource
  readonly #from: FeedPosition | 'now'
  readonly #onClose: (feed: SqliteFeed) => void
  #at = 0
  #reset = false
  #closed = false
  #behind = true
  #fault: Error | null = null
  #wake: (() => void) | null = null

  constructor(source: LogSource, from: FeedPosition | 'now', onClose: (feed: SqliteFeed) => void) {
    this.#source = source
    this.#from = from
    this.#onClose = onClose
    this.ready = this.#start()
    // Whoever iterates meets the fault there; nobody is obliged to wait for `ready`.
    this.ready.catch(() => undefined)
  }

  /** Something was committed. */
  wake(): void {
    this.#behind = true
    this.#wake?.()
  }

  /** Nothing more will be committed or read: the reader meets the fault instead of waiting for ever. */
  fail(fault: Error): void {
    this.#fault ??= fault
    this.#wake?.()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#wake?.()
    this.#onClose(this)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedItem, void, undefined> {
    await this.ready
    if (this.#reset) yield { kind: 'reset', position: this.#position(this.#at) }
    while (!this.#closed) {
      if (!this.#behind && !this.#fault) await this.#woken()
      if (this.#closed) return
      if (this.#fault) throw this.#fault
      this.#behind = false
      const near = this.#source.tail(this.#at, rowsAtOnce)
      if (near === null) yield* this.#page()
      else yield* this.#pass(near, tailItem)
    }
  }

  async *#page(): AsyncGenerator<FeedItem, void, undefined> {
    const { rows, trimmedTo, last } = await this.#source.page(this.#at, rowsAtOnce)
    if (this.#at < trimmedTo) {
      this.#at = last
      this.#behind = true
      yield { kind: 'reset', position: this.#position(last) }
    } else yield* this.#pass(rows, pageItem)
  }

  *#pass<Row extends { readonly position: number }>(
    rows: readonly Row[],
    itemOf: (row: Row, position: FeedPosition) => FeedItem,
  ): Generator<FeedItem, void, undefined> {
    if (rows.length === rowsAtOnce) this.#behind = true
    for (const row of rows) {
      this.#at = row.position
      yield itemOf(row, this.#position(row.position))
      if (this.#closed) return
    }
  }

  async #start(): Promise<FeedPosition> {
    const end = await this.#source.end()
    this.#at = end.last
    if (this.#from !== 'now') {
      const [epoch, position] = this.#from.split(':')
      const at = Number(position)
      if (epoch === this.#source.epoch && at >= end.trimmedTo && at <= end.last) this.#at = at
      else this.#reset = true
    }
    return this.#position(this.#at)
  }

  #position(at: number): FeedPosition {
    return `${this.#source.epoch}:${at}`
  }

  async #woken(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = null
  }
}

function pageItem(
  { partition, revision, at, subjects, events, sequence }: LogRow,
  position: FeedPosition,
): FeedItem {
  return {
    kind: 'events',
    position,
    partition,
    revision,
    at,
    events: readLogText(subjects, events, sequence),
  }
}

function tailItem(
  { partition, revision, at, announced, sequence }: TailRow,
  position: FeedPosition,
): FeedItem {
  const first = sequence - announced.length + 1
  const events = announced.map(({ subject, event }, n) => ({ sequence: first + n, subject, event }))
  return { kind: 'events', position, partition, revision, at, events }
}
