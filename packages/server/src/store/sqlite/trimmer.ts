// Keeps the log and the remembered answers from growing: both are relays, trimmed by age, a little with each group.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

// Longer than any client stays away and hopes to catch up without a refetch.
const logKeptMs = 10 * 60_000
// Longer than any caller goes on asking about a change whose answer it lost.
const answersKeptMs = 15 * 60_000
const everyMs = 1_000
const rowsAtOnce = 500
// Bounds what one group pays for trimming; at one run a second it still outpaces the writer.
const stepsAtOnce = 200

export class Trimmer {
  readonly #trimLog: StatementSync
  readonly #trimAnswers: StatementSync
  #trimmedAt = Number.NEGATIVE_INFINITY

  constructor(db: DatabaseSync) {
    this.#trimLog = db.prepare(
      `DELETE FROM log WHERE position IN (SELECT position FROM log ORDER BY position LIMIT ${rowsAtOnce}) AND at < ?`,
    )
    this.#trimAnswers = db.prepare(
      `DELETE FROM answered WHERE number IN (SELECT number FROM answered ORDER BY number LIMIT ${rowsAtOnce}) AND at < ?`,
    )
  }

  trim(at: number): void {
    if (at - this.#trimmedAt < everyMs) return
    this.#trimmedAt = at
    trimInSteps(this.#trimLog, at - logKeptMs)
    trimInSteps(this.#trimAnswers, at - answersKeptMs)
  }
}

function trimInSteps(statement: StatementSync, before: number): void {
  for (let step = 0; step < stepsAtOnce; step++) {
    if (Number(statement.run(before).changes) < rowsAtOnce) return
  }
}
