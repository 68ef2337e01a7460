// The journal of a store: two files that take turns. While the tables take over what one of them holds, entries go to
// the other; once they have it the first is written again from its beginning.

import { type JournalEntry, JournalFile } from './journal-file.ts'

export class Journal {
  #file: JournalFile
  #other: JournalFile

  constructor(path: string, salt: number) {
    this.#file = new JournalFile(path, salt)
    this.#other = new JournalFile(`${path}2`, salt)
  }

  /** The entries that follow number `settled`, whichever file they begin in. Further ones go behind the last. */
  entriesAfter(settled: number): JournalEntry[] {
    const first = this.#file.entriesAfter(settled)
    if (first.length === 0) this.#swap()
    const entries = first.length === 0 ? this.#file.entriesAfter(settled) : first
    const behind = this.#other.entriesAfter(entries.at(-1)?.number ?? settled)
    if (behind.length > 0) this.#swap()
    return [...entries, ...behind]
  }

  append(entry: JournalEntry): void {
    this.#file.append(entry)
  }

  get isSynced(): boolean {
    return this.#file.isSynced && this.#other.isSynced
  }

  /** How much it holds since the last turn. */
  get bytes(): number {
    return this.#file.bytes
  }

  /** How much it holds of what was before the last turn. */
  get bytesSettled(): number {
    return this.#other.bytes
  }

  /** Calls back when everything appended before is on disk. */
  sync(done: () => void): void {
    const behind = [this.#other, this.#file].filter((file) => !file.isSynced)
    let left = behind.length
    for (const file of behind) {
      file.sync(() => {
        left -= 1
        if (left === 0) done()
      })
    }
  }

  /** What is appended from now on is kept apart from what was before, if a file is free for it. */
  turn(): void {
    if (this.#other.bytes === 0) this.#swap()
  }

  /** The tables have everything up to number `settled`, durably. */
  forget(settled: number): void {
    this.#file.forget(settled)
    this.#other.forget(settled)
  }

  close(): void {
    this.#file.close()
    this.#other.close()
  }

  #swap(): void {
    const file = this.#file
    this.#file = this.#other
    this.#other = file
  }
}
