// The log that feeds read: one row for the events of each change. Rows that the table does not have yet are answered
// from here, so that a feed at the end of the log costs the tables nothing.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Logged } from './log-tail.ts'
import type { PartitionRow } from './names.ts'
import { inSteps, type Settling } from './settling.ts'
import type { LogPage, LogRow } from './thread-messages.ts'

interface UnsettledRow extends LogRow {
  readonly partitionId: number
}

export class EventLog implements Settling {
  #unsettled: UnsettledRow[] = []
  /** How many of them, from the first, are for the settle under way. */
  #setAside = 0
  #last: number
  readonly #save: StatementSync

  constructor(db: DatabaseSync) {
    this.#save = db.prepare(
      'INSERT INTO log (position, partition, revision, sequence, at, subjects, events) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    const row = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'log'").get()
    this.#last = Number(row?.['seq'] ?? 0)
  }

  append(
    { id, name, revision, sequence }: PartitionRow,
    at: number,
    subjects: string,
    events: string,
  ): Logged {
    const position = ++this.#last
    this.#unsettled.push({
      position,
      partitionId: id,
      partition: name,
      revision,
      sequence,
      at,
      subjects,
      events,
    })
    return { position, at, revision, sequence }
  }

  /** Null where the page begins in the table. */
  page(after: number, limit: number): LogPage | null {
    const settled = this.#last - this.#unsettled.length
    if (after < settled || this.#unsettled.length === 0) return null
    const rows = this.#unsettled.slice(after - settled, after - settled + limit)
    return { rows: rows.map(({ partitionId: _, ...row }) => row), trimmedTo: settled, last: this.#last }
  }

  setAside(): void {
    this.#setAside = this.#unsettled.length
  }

  save(): Iterable<unknown> {
    return inSteps(this.#unsettled.slice(0, this.#setAside), (row) => {
      const { position, partitionId, revision, sequence, at, subjects, events } = row
      this.#save.run(position, partitionId, revision, sequence, at, subjects, events)
    })
  }

  saved(): void {
    this.#unsettled = this.#unsettled.slice(this.#setAside)
    this.#setAside = 0
  }
}
