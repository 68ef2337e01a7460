// The end of the log, as this process wrote it itself. Nobody else writes to an embedded store, so whoever follows its log
// closely is told from here: to ask the writer for what had just been handed to it woke two threads for every change.

import type { Announcement, Partition } from '../../ports/store.ts'

/** Where the events of a change came to stand. */
export interface Logged {
  readonly position: number
  readonly at: number
  readonly revision: number
  /** Of the last of its events. */
  readonly sequence: number
}

export interface TailRow extends Logged {
  readonly partition: Partition
  readonly announced: readonly Announcement[]
}

/** Whoever is further behind asks for pages. Followers read at once, so more would only be kept for nobody. */
const eventsAtMost = 2_000

export class LogTail {
  #rows: TailRow[] = []
  #events = 0
  #last = 0

  append(row: TailRow): void {
    // Answers come in the order of the log; should one not, what is held would have a gap.
    if (row.position !== (this.#rows.at(-1)?.position ?? row.position - 1) + 1) this.clear()
    this.#rows.push(row)
    this.#events += row.announced.length
    this.#last = Math.max(this.#last, row.position)
    while (this.#events > eventsAtMost && this.#rows.length > 1)
      this.#events -= this.#rows.shift()?.announced.length ?? 0
  }

  /** Something was logged that nobody follows: what is held is no longer the end. */
  clear(): void {
    this.#rows = []
    this.#events = 0
  }

  /** The rows behind a position, at most `limit`; null where they are not all here. */
  after(position: number, limit: number): readonly TailRow[] | null {
    const [first] = this.#rows
    if (!first || position + 1 < first.position || this.#rows.at(-1)?.position !== this.#last) return null
    const from = position + 1 - first.position
    return this.#rows.slice(from, from + limit)
  }
}
