// Applies groups of commits and claims to the state in memory and writes them to the journal; nobody may be answered
// before that is synced.
// The tables follow behind. What the journal holds and the tables do not is applied again when the store is opened,
// and after a fault, when the memory may be ahead of the journal.

import type { DatabaseSync } from 'node:sqlite'
import { decodeWrite, encodeAnswer } from './flat-writes.ts'
import type { JournalFile } from './journal-file.ts'
import type { Packet } from './packet.ts'
import { StoreState } from './store-state.ts'

// More saves work, since what changes again meanwhile is written once; but a settle makes commits wait, about 10 ms for
// each thousand, and takes as long to repeat when the store is opened after a crash.
const settleFrom = 8_000
// Large bodies fill memory and journal long before that.
const settleFromBytes = 32 * 2 ** 20
// Longer makes fewer commits wait for a settle, and more to repeat after a crash; claims from a short queue would then
// never meet the table, and a long one would look slow beside them.
export const settleAfterMs = 250
// Where settling fails, no more is taken in than memory can hold.
const refuseFrom = 10 * settleFrom

export class Writer {
  readonly #db: DatabaseSync
  readonly #journal: JournalFile
  #state: StoreState
  /** The last entry in the journal, and its instant. */
  #number = 0
  #at = 0
  #unsettledSince: number | null = null

  constructor(db: DatabaseSync, journal: JournalFile) {
    this.#db = db
    this.#journal = journal
    this.#state = this.#readBack()
    this.settle()
  }

  get state(): StoreState {
    return this.#state
  }

  get isSettled(): boolean {
    return this.#unsettledSince === null
  }

  /** Whether it is time to settle, which is left to the caller: those that wait for an answer come first. */
  get isFull(): boolean {
    if (this.#unsettledSince === null) return false
    if (this.#state.unsettled >= settleFrom || this.#journal.bytes >= settleFromBytes) return true
    return this.#at - this.#unsettledSince >= settleAfterMs
  }

  /** After a fault the memory may be ahead of the journal: it must `recover` before anything else. */
  write(packets: readonly Packet[], at: number): Packet[] {
    if (this.#state.unsettled >= refuseFrom) this.settle()
    const applied = packets.map((packet) => this.#state.apply(decodeWrite(packet), at))
    const answers = applied.map(({ answer }) => encodeAnswer(answer))
    const changes = packets.filter((_, index) => applied[index]?.changed)
    if (changes.length > 0) this.#keep(changes, at)
    return answers
  }

  recover(): void {
    this.#state = this.#readBack()
  }

  /** Brings the tables up to date. If it fails nothing is lost: the journal still holds what they lack. */
  settle(): void {
    if (this.#unsettledSince === null) return
    this.#state.settle(this.#number, this.#at)
    this.#journal.rewind()
    this.#unsettledSince = null
  }

  #keep(packets: readonly Packet[], at: number): void {
    this.#journal.append({ number: this.#number + 1, at, packets })
    this.#number += 1
    this.#at = at
    this.#unsettledSince ??= at
  }

  #readBack(): StoreState {
    const settled = Number(this.#db.prepare('SELECT settled FROM journal').get()?.['settled'])
    const state = new StoreState(this.#db)
    this.#number = settled
    this.#unsettledSince = null
    for (const { number, at, packets } of this.#journal.entriesAfter(settled)) {
      for (const packet of packets) {
        if (!state.apply(decodeWrite(packet), at).changed)
          throw new Error('the journal does not fit its store')
      }
      this.#number = number
      this.#at = at
      this.#unsettledSince ??= at
    }
    return state
  }
}
