// Holds answers back until what they tell of is on disk. One sync is under way at a time, and the writer works on
// meanwhile; all that is answered until it returns shares the next one.

import type { Journal } from './journal.ts'
import type { AnswerGroup } from './thread-messages.ts'

export class SyncedAnswers {
  readonly #journal: Journal
  readonly #send: (groups: readonly AnswerGroup[]) => void
  #held: AnswerGroup[] = []
  #isSyncing = false
  #whenSent: (() => void)[] = []

  constructor(journal: Journal, send: (groups: readonly AnswerGroup[]) => void) {
    this.#journal = journal
    this.#send = send
  }

  add(groups: readonly AnswerGroup[]): void {
    if (this.#isSyncing) this.#held.push(...groups)
    else if (this.#journal.isSynced) this.#send(groups)
    else this.#sync(groups)
  }

  /** Whether somebody waits for the disk. */
  get isSyncing(): boolean {
    return this.#isSyncing
  }

  whenSent(done: () => void): void {
    if (this.#isSyncing) this.#whenSent.push(done)
    else done()
  }

  #sync(groups: readonly AnswerGroup[]): void {
    this.#isSyncing = true
    this.#journal.sync(() => {
      this.#isSyncing = false
      this.#send(groups)
      const held = this.#held
      this.#held = []
      if (held.length > 0) this.add(held)
      if (!this.#isSyncing) for (const done of this.#whenSent.splice(0)) done()
    })
  }
}
