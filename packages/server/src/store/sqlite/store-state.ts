// The state of the store as its writer sees it: the tables, and in memory what they do not have yet. Commits and claims
// change the memory only; a settle brings the tables up to date in one transaction. The same writes after the same
// settle lead to the same state, which is what reading the journal back rests on: nothing here may ask a clock or dice.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type {
  Claim,
  Claimed,
  Committed,
  DueRecord,
  PreparedAttempt,
  QueueDepth,
  Stale,
  StoredRecord,
} from '../../ports/store.ts'
import { writeLogText } from '../log-text.ts'
import { compareNames } from '../merge-pages.ts'
import { Answers } from './answers.ts'
import { compareDue } from './compare-due.ts'
import { Counters } from './counters.ts'
import { EventLog } from './event-log.ts'
import type { FlatChange, FlatWrite, WriteAnswer } from './flat-writes.ts'
import type { Logged } from './log-tail.ts'
import { Names, type PartitionRow } from './names.ts'
import { RecordTable } from './record-table.ts'
import { listKinds } from './schema.ts'
import type { Settling } from './settling.ts'
import { Trimmer } from './trimmer.ts'
import { type Found, UnsettledRecords } from './unsettled-records.ts'

export interface Applied {
  readonly answer: WriteAnswer
  /** False: it was stale, answered before, or found nothing to claim. */
  readonly changed: boolean
  /** Null: it has no events, or it has not changed anything. */
  readonly logged: Logged | null
}

export class StoreState {
  readonly log: EventLog
  readonly #db: DatabaseSync
  readonly #names: Names
  readonly #records: UnsettledRecords
  readonly #counters: Counters
  readonly #answers: Answers
  readonly #parts: readonly Settling[]
  readonly #trimmer: Trimmer
  readonly #saveSettled: StatementSync
  #changes = 0

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#names = new Names(db)
    this.#records = new UnsettledRecords(new RecordTable(db), this.#names)
    this.#counters = new Counters(db)
    this.#answers = new Answers(db)
    this.log = new EventLog(db)
    this.#parts = [this.#names, this.#records, this.#counters, this.#answers, this.log]
    this.#trimmer = new Trimmer(db)
    this.#saveSettled = db.prepare('UPDATE journal SET settled = ?')
  }

  /** About how many rows would be set aside. */
  get unsettled(): number {
    return this.#records.count + this.#changes
  }

  apply(write: FlatWrite, at: number): Applied {
    const applied = write.op === 'commit' ? this.#commit(write, at) : this.#claim(write.claim, at)
    if (applied.changed) this.#changes += 1
    return applied
  }

  /** What the tables lack now is what the next settle writes; those before it must have ended well. */
  setAside(): void {
    for (const part of this.#parts) part.setAside()
    this.#changes = 0
  }

  /**
   * Writes what was set aside in one transaction, in short steps; changes may be applied between them. `number` is that
   * of the last journal entry in it, `at` its instant. Given up, or failed, it has changed nothing.
   */
  *settle(number: number, at: number): Generator<unknown, void> {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      for (const part of this.#parts) {
        yield
        yield* part.save()
      }
      this.#trimmer.trim(at)
      this.#saveSettled.run(number)
      this.#db.exec('COMMIT')
    } finally {
      // A failed COMMIT (a full disk) may have rolled back already.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    }
    for (const part of this.#parts) part.saved()
  }

  /** Reads what the next claim will probably want; for moments in which nobody waits. Whether anything was read. */
  readAhead(): boolean {
    return this.#records.readAhead()
  }

  read(partition: string, keys: readonly string[]): (StoredRecord | null)[] {
    const known = this.#names.findPartition(partition)
    return keys.map((key) => known && this.#records.read(known, key))
  }

  counters(partition: string): Record<string, number> {
    const known = this.#names.findPartition(partition)
    const all = known ? [...this.#counters.of(known)] : []
    return Object.fromEntries(all.sort(([a], [b]) => compareNames(a, b)))
  }

  queues(partition: string | undefined): QueueDepth[] {
    const depths = this.#names.waiting(partition).map((queue) => ({
      partition: queue.partition.name,
      queue: queue.name,
      pending: queue.depth,
      headScore: this.#records.headScore(queue),
    }))
    return depths.sort((a, b) => compareNames(a.partition, b.partition) || compareNames(a.queue, b.queue))
  }

  due(now: number, limit: number): DueRecord[] {
    return this.#records.due(now, limit).sort(compareDue).slice(0, limit)
  }

  #commit(change: FlatChange, at: number): Applied {
    const answered = this.#answers.find(change.id)
    if (answered !== null) return unchanged(JSON.parse(answered) as Committed)
    const known = this.#names.findPartition(change.partition)
    const found = change.put.map(({ key }) => this.#records.find(known, key))
    const stale = this.#firstStale(known, change, found)
    if (stale) return unchanged(stale)
    const partition = this.#names.partition(change.partition)
    this.#names.advance(partition, change.announced)
    const places = change.places.map(({ kind, name }) => this.#names.list(partition, kind, name))
    change.put.forEach((put, index) => {
      this.#records.put(partition, found[index] ?? null, put, places)
    })
    for (const key of change.remove) this.#records.remove(partition, key)
    this.#counters.add(partition, change.add, 1)
    const logged =
      change.announced > 0 ? this.log.append(partition, at, change.subjects, change.events) : null
    const { revision, sequence } = partition
    const answer: Committed = { outcome: 'committed', revision, sequence }
    this.#answers.remember(change.id, at, JSON.stringify(answer))
    return { answer, changed: true, logged }
  }

  // Everything a change expects is checked before anything of it is applied, so a stale one leaves no trace.
  #firstStale(partition: PartitionRow | null, change: FlatChange, found: readonly Found[]): Stale | null {
    for (const [key, expected] of change.expect) {
      const version = this.#records.find(partition, key)?.version ?? 0
      if (version !== expected) return { outcome: 'stale', key, version }
    }
    for (const [index, { key, expect }] of change.put.entries()) {
      const version = found[index]?.version ?? 0
      if (expect !== null && version !== expect) return { outcome: 'stale', key, version }
    }
    return null
  }

  #claim(claim: Claim, at: number): Applied {
    const answered = this.#answers.find(claim.id)
    if (answered !== null) return unchanged(this.#claimedBefore(claim, JSON.parse(answered) as string[]))
    const partition = this.#names.findPartition(claim.partition)
    const queue = partition && this.#names.findList(partition, listKinds.queue, claim.queue)
    const allowed = queue ? Math.min(queue.depth, this.#allowed(queue.partition, claim)) : 0
    if (!partition || !queue || allowed === 0) return unchanged({ records: [] })
    this.#names.advance(partition, allowed)
    const from = this.#names.list(partition, listKinds.wide, claim.move.from)
    const to = this.#names.list(partition, listKinds.wide, claim.move.to)
    const records = this.#records.take(queue, allowed).map((record, index) => {
      this.#records.attach(record, claim.attempts[index] as PreparedAttempt, from, to)
      return this.#records.stored(record)
    })
    this.#counters.add(partition, Object.entries(claim.add ?? {}), records.length)
    const subjects = records.map(({ key }) => key)
    const events = claim.attempts.slice(0, records.length).map(({ event }) => event)
    const logged = this.log.append(partition, at, subjects.join('\t'), writeLogText(events))
    this.#answers.remember(claim.id, at, JSON.stringify(subjects))
    return { answer: { records }, changed: true, logged }
  }

  #allowed(partition: PartitionRow, claim: Claim): number {
    const counters = this.#counters.of(partition)
    let allowed = claim.attempts.length
    for (const { counter, max } of claim.limits ?? [])
      allowed = Math.min(allowed, max - (counters.get(counter) ?? 0))
    return Math.max(0, allowed)
  }

  #claimedBefore(claim: Claim, keys: readonly string[]): Claimed {
    // Those with another attempt were requeued since, and perhaps taken by another claim.
    const records = this.read(claim.partition, keys).filter(
      (record, index) => record !== null && record.attempt === claim.attempts[index]?.attempt,
    )
    return { records: records as StoredRecord[] }
  }
}

function unchanged(answer: WriteAnswer): Applied {
  return { answer, changed: false, logged: null }
}
