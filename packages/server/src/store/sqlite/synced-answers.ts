// Holds answers back until what they tell of is on disk. One sync is under way at a time, and the writer works on
// meanwhile; all that is answered until it returns shares the next one.

import type { JournalFile } from './journal-file.ts'
import type { AnswerGroup } from './thread-messages.ts'

export class SyncedAnswers {
  readonly #journal: JournalFile
  readonly #send: (groups: readonly AnswerGroup[]) => void
  #held: AnswerGroup[] = []
  #isSyncing = false
  #whenSent: (() => void) | null = null

  constructor(journal: JournalFile, send: (groups: readonly AnswerGroup[]) => void) {
    this.#journal = journal
    this.#send = send
  }

  add(groups: readonly AnswerGroup[]): void {
    this.#held.push(...groups)
    if (!this.#isSyncing) this.#sync()
  }

  whenSent(done: () => void): void {
    if (this.#isSyncing) this.#whenSent = done
    else done()
  }

  #sync(): void {
    const groups = this.#held
    this.#held = []
    this.#isSyncing = true
    this.#journal.sync(() => {
      this.#isSyncing = false
      this.#send(groups)
      if (this.#held.length > 0) this.#sync()
      else this.#whenSent?.()
    })
  }
}
