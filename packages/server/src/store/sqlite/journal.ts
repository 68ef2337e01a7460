// The journal of a store: two files that take turns. While the tables take over what one of them holds, entries go to
// the other; once they have it the first is written again from its beginning.

import { type JournalEntry, JournalFile } from './journal-file.ts'

// A sync in a thread of the pool wakes that thread and then the writer, which costs more than the writer could do meanwhile
// where the disk is quick, and less where it is slow. After one that was slow so many go to the pool, so that the writer
// waits for a slow disk only now and then to learn that it still is.
const quickMs = 2
const besideAfterSlow = 16

export class Journal {
  #file: JournalFile
  #other: JournalFile
  /** How many of the next syncs go to the pool. */
  #syncsBeside = 0

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

  /** Calls back when everything appended before is on disk: before it returns, where the disk is quick. */
  sync(done: () => void): void {
    const behind = [this.#other, this.#file].filter((file) => !file.isSynced)
    if (this.#syncsBeside === 0) {
      this.#syncNow(behind)
      done()
      return
    }
    this.#syncsBeside -= 1
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

  #syncNow(files: readonly JournalFile[]): void {
    const begun = performance.now()
    for (const file of files) file.syncNow()
    if (performance.now() - begun > quickMs) this.#syncsBeside = besideAfterSlow
  }

  #swap(): void {
    const file = this.#file
    this.#file = this.#other
    this.#other = file
  }
}
