// Reads the log of the embedded store from a position on. Woken by commits, never by a timer; a position of another
// opening of the file, or one the log no longer reaches back to, is answered with a reset.

import type { Feed, FeedItem, FeedPosition } from '../../ports/store.ts'
import { readLogText } from '../log-text.ts'
import type { LogEnd, LogRow } from './thread-messages.ts'

const rowsAtOnce = 500

export interface LogSource {
  readonly epoch: string
  end(): Promise<LogEnd>
  rows(after: number, limit: number): Promise<readonly LogRow[]>
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

  async close(): Promise<void> {
    this.#closed = true
    this.#wake?.()
    this.#onClose(this)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FeedItem, void, undefined> {
    await this.ready
    if (this.#reset) yield { kind: 'reset', position: this.#position(this.#at) }
    while (!this.#closed) {
      if (!this.#behind) await this.#woken()
      if (this.#closed) return
      this.#behind = false
      const rows = await this.#source.rows(this.#at, rowsAtOnce)
      if (rows.length === rowsAtOnce) this.#behind = true
      for (const row of rows) {
        this.#at = row.position
        yield this.#item(row)
        if (this.#closed) return
      }
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

  #item({ position, partition, revision, at, subjects, events, sequence }: LogRow): FeedItem {
    const read = readLogText(subjects, events, sequence)
    return { kind: 'events', position: this.#position(position), partition, revision, at, events: read }
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
