// Keeps the log and the remembered answers from growing: both are relays, trimmed by age, a little with each group.
// Only ever a prefix goes: a clock that was set back leaves rows in the middle that look old, and a log with a hole
// would be read as one without.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

// Longer than any client stays away and hopes to catch up without a refetch.
const logKeptMs = 10 * 60_000
// Longer than any caller goes on asking about a change whose answer it lost.
const answersKeptMs = 15 * 60_000
const everyMs = 1_000
// Bounds what one group pays for trimming; at one run a second it still outpaces the writer.
const rowsAtOnce = 100_000

class Relay {
  readonly #oldest: StatementSync
  readonly #removeUpTo: StatementSync
  readonly #keptMs: number

  constructor(db: DatabaseSync, table: 'log' | 'answered', order: 'position' | 'number', keptMs: number) {
    this.#oldest = db.prepare(`SELECT ${order}, at FROM ${table} ORDER BY ${order} LIMIT ${rowsAtOnce}`)
    this.#oldest.setReturnArrays(true)
    this.#removeUpTo = db.prepare(`DELETE FROM ${table} WHERE ${order} <= ?`)
    this.#keptMs = keptMs
  }

  trim(now: number): void {
    let last: number | null = null
    for (const row of this.#oldest.iterate() as unknown as Iterable<[order: number, at: number]>) {
      if (row[1] >= now - this.#keptMs) break
      last = row[0]
    }
    if (last !== null) this.#removeUpTo.run(last)
  }
}

export class Trimmer {
  readonly #relays: readonly Relay[]
  #trimmedAt = Number.NEGATIVE_INFINITY

  constructor(db: DatabaseSync) {
    this.#relays = [
      new Relay(db, 'log', 'position', logKeptMs),
      new Relay(db, 'answered', 'number', answersKeptMs),
    ]
  }

  trim(at: number): void {
    // A clock that went back must not silence the trimmer until it has caught up.
    if (at >= this.#trimmedAt && at - this.#trimmedAt < everyMs) return
    this.#trimmedAt = at
    for (const relay of this.#relays) relay.trim(at)
  }
}
