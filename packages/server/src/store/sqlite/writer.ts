// Applies groups of commits and claims to the state in memory and writes them to the journal; nobody may be answered
// before that is synced.
// The tables follow behind. What the journal holds and the tables do not is applied again when the store is opened,
// and after a fault, when the memory may be ahead of the journal.

import type { DatabaseSync } from 'node:sqlite'
import { decodeWrite, encodeAnswer } from './flat-writes.ts'
import type { Journal } from './journal.ts'
import type { Packet } from './packet.ts'
import { StoreState } from './store-state.ts'
import type { TableDisk } from './table-log.ts'

// More saves work, since what changes again meanwhile is written once: where jobs come faster than they are done, those
// that wait at a settle are written twice and read once more. But it takes as long to repeat when the store is opened after
// a crash, about 10 ms for each thousand, it is held in memory, and the COMMIT of a settle, which nobody is answered during,
// takes a millisecond for each thousand.
const settleFrom = 32_000
// Large bodies fill memory and journal long before that.
const settleFromBytes = 64 * 2 ** 20
// Longer makes whoever asks for a list wait for more of it. Shorter makes a quiet store settle often, and whoever comes
// during one waits behind it for the disk: once a second that was every hundredth job.
export const settleAfterMs = 5_000
// Those who write wait for the tables where these cannot keep up.
const waitFrom = 2 * settleFrom
const waitFromBytes = 2 * settleFromBytes
// Where settling fails, no more is taken in than memory can hold.
const refuseFrom = 3 * settleFrom
// Nobody waits longer than this for a slice of a settle, and less would cost more than it gives.
const sliceMs = 2
// Where little has come since it began the tables need not hurry: slices are short, and no disk is kept from whoever
// waits for it. One settle a second in longer ones made every twentieth job of a quiet room twice as slow.
const hurryFrom = 4_000
const hurryFromBytes = 4 * 2 ** 20
const easySliceMs = 0.5

export class Writer {
  readonly #db: DatabaseSync
  readonly #journal: Journal
  readonly #disk: TableDisk
  #state: StoreState
  /** The last entry in the journal, and its instant. */
  #number = 0
  #at = 0
  #settled = 0
  #unsettledSince: number | null = null
  /** The last entry in what is set aside for a settle, and its instant. */
  #setAside: { readonly number: number; readonly at: number } | null = null
  #settling: Generator<unknown, void> | null = null
  /** The last entry of a settle that has ended, until its tables are on disk. */
  #unsynced: number | null = null

  constructor(db: DatabaseSync, journal: Journal, disk: TableDisk) {
    this.#db = db
    this.#journal = journal
    this.#disk = disk
    this.#state = this.#readBack()
    this.settle()
  }

  get state(): StoreState {
    return this.#state
  }

  get isSettled(): boolean {
    return this.#unsettledSince === null && this.#setAside === null
  }

  /** The last entry in the journal, and the last that the tables have. */
  get lastEntry(): number {
    return this.#number
  }

  get settledEntry(): number {
    return this.#settled
  }

  /** Whether a settle was begun and not ended. */
  get isSettling(): boolean {
    return this.#settling !== null
  }

  /** Whether it is time to settle, which is left to the caller: those that wait for an answer come first. */
  get isFull(): boolean {
    if (this.#unsettledSince === null) return false
    // The next settle begins with a sync where the last one's is still under way, and nobody is answered meanwhile.
    if (this.#unsynced !== null) return this.#mustSettle
    if (this.#state.unsettled >= settleFrom || this.#journal.bytes >= settleFromBytes) return true
    return this.#at - this.#unsettledSince >= settleAfterMs
  }

  /** Whether the tables fall behind, so that a settle must not wait for anything. */
  get isInHurry(): boolean {
    return this.#state.unsettled >= hurryFrom || this.#journal.bytes >= hurryFromBytes
  }

  /** After a fault the memory may be ahead of the journal: it must `recover` before anything else. */
  write(packets: readonly Packet[], at: number): Packet[] {
    if (this.#state.unsettled >= refuseFrom) this.settle()
    const applied = packets.map((packet) => this.#state.apply(decodeWrite(packet), at))
    const answers = applied.map(({ answer, logged }) => encodeAnswer(answer, logged))
    const changes = packets.filter((_, index) => applied[index]?.changed)
    if (changes.length > 0) this.#keep(changes, at)
    return answers
  }

  /** Whether anything was read. What cannot be read now is read by whoever claims it, who is told why not. */
  readAhead(): boolean {
    try {
      return this.#state.readAhead()
    } catch {
      return false
    }
  }

  recover(): void {
    this.#settling?.return()
    this.#settling = null
    this.#setAside = null
    this.#state = this.#readBack()
  }

  /** Brings the tables a little further; if that fails nothing is lost: the journal still holds what they lack. */
  settleSlice(ms: number = this.isInHurry ? sliceMs : easySliceMs): void {
    const until = performance.now() + (this.#mustSettle ? Number.POSITIVE_INFINITY : ms)
    while (!this.isSettled && this.#step() && performance.now() < until);
  }

  /** Brings the tables up to date. */
  settle(): void {
    while (!this.isSettled) this.#step()
  }

  /** Whether the settle goes on. */
  #step(): boolean {
    this.#setAside ??= this.#putAside()
    const { number, at } = this.#setAside
    try {
      this.#settling ??= this.#state.settle(number, at)
      if (!this.#settling.next().done) return true
    } catch (fault) {
      this.#settling = null
      throw fault
    }
    this.#settling = null
    this.#setAside = null
    this.#settled = number
    this.#unsynced = number
    this.#disk.syncSoon(this.#journal.bytesSettled, () => this.#forget(number))
    return false
  }

  get #mustSettle(): boolean {
    return this.#state.unsettled >= waitFrom || this.#journal.bytes >= waitFromBytes
  }

  #putAside(): { number: number; at: number } {
    this.#syncTables()
    this.#journal.turn()
    this.#unsettledSince = null
    this.#state.setAside()
    return { number: this.#number, at: this.#at }
  }

  /** What the tables have must be on disk before the journal begins again where it stood. */
  #syncTables(): void {
    if (this.#unsynced === null) return
    this.#disk.sync()
    this.#forget(this.#unsynced)
  }

  #forget(number: number): void {
    if (this.#unsynced !== number) return
    this.#unsynced = null
    this.#journal.forget(number)
  }

  #keep(packets: readonly Packet[], at: number): void {
    this.#journal.append({ number: this.#number + 1, at, packets })
    this.#number += 1
    this.#at = at
    this.#unsettledSince ??= at
  }

  // A process that died may have left tables that the system has and the disk has not: synced first, so that entries
  // they hold are not given up for them.
  #readBack(): StoreState {
    this.#disk.sync()
    this.#unsynced = null
    const settled = Number(this.#db.prepare('SELECT settled FROM journal').get()?.['settled'])
    const state = new StoreState(this.#db)
    this.#number = settled
    this.#settled = settled
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
