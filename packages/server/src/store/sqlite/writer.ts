// Applies groups of commits and claims, each group in one transaction: nobody in it is answered before it is on disk.
// A change checks all it expects before it writes anything, so a stale one leaves no trace without a savepoint.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Claim, Claimed, Committed, Stale, StoredRecord } from '../../ports/store.ts'
import type { FlatChange, FlatWrite, WriteAnswer } from './flat-writes.ts'
import { Names, type PartitionRow } from './names.ts'
import { type RecordRow, RecordTable } from './record-table.ts'
import { listKinds } from './schema.ts'
import { Trimmer } from './trimmer.ts'

interface ClaimRow extends RecordRow {
  readonly key: string
  readonly head: string
  readonly body: string
}

export class Writer {
  readonly #db: DatabaseSync
  readonly #names: Names
  readonly #records: RecordTable
  readonly #trimmer: Trimmer
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #undo: StatementSync
  readonly #findAnswer: StatementSync
  readonly #saveAnswer: StatementSync
  readonly #appendLog: StatementSync
  readonly #addCounter: StatementSync
  readonly #dropCounter: StatementSync
  readonly #counter: StatementSync
  readonly #queueHead: StatementSync
  readonly #whole: StatementSync

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#names = new Names(db)
    this.#records = new RecordTable(db, this.#names)
    this.#trimmer = new Trimmer(db)
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#end = db.prepare('COMMIT')
    this.#undo = db.prepare('ROLLBACK')
    this.#findAnswer = db.prepare('SELECT answer FROM answered WHERE id = ?')
    this.#saveAnswer = db.prepare('INSERT INTO answered (id, at, answer) VALUES (?, ?, ?)')
    this.#appendLog = db.prepare(
      'INSERT INTO log (partition, revision, sequence, at, subjects, events) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#addCounter = db.prepare(
      `INSERT INTO counter (partition, name, value) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET value = value + excluded.value RETURNING value`,
    )
    this.#dropCounter = db.prepare('DELETE FROM counter WHERE partition = ? AND name = ?')
    this.#counter = db.prepare('SELECT value FROM counter WHERE partition = ? AND name = ?')
    this.#queueHead = db.prepare(
      `SELECT r.id, r.version, r.due_at, r.score, r.list_a, r.list_b, r.list_c, r.list_d, r.key, r.head, b.body
       FROM record r INDEXED BY record_queue JOIN body b ON b.record = r.id
       WHERE r.queue = ? ORDER BY r.score, r.key LIMIT ?`,
    )
    this.#queueHead.setReturnArrays(true)
    this.#whole = db.prepare(
      `SELECT r.version, r.head, r.attempt, b.body FROM record r JOIN body b ON b.record = r.id
       WHERE r.partition = ? AND r.key = ?`,
    )
    this.#whole.setReturnArrays(true)
  }

  write(requests: readonly FlatWrite[], at: number): WriteAnswer[] {
    this.#begin.run()
    try {
      const answers = requests.map((request) =>
        request.op === 'commit' ? this.#commit(request, at) : this.#claim(request.claim, at),
      )
      this.#names.save()
      this.#trimmer.trim(at)
      this.#end.run()
      return answers
    } catch (fault) {
      // A failed COMMIT (a full disk) may have rolled back already; what is kept in memory is void either way.
      if (this.#db.isTransaction) this.#undo.run()
      this.#names.forget()
      throw fault
    }
  }

  #commit(change: FlatChange, at: number): Committed | Stale {
    const answered = this.#findAnswer.get(change.id)
    if (answered) return JSON.parse(String(answered['answer'])) as Committed
    const known = this.#names.findPartition(change.partition)
    const rows = change.put.map((put) => this.#records.find(known, put.key))
    const stale = this.#firstStale(known, change, rows)
    if (stale) return stale
    const partition = this.#names.partition(change.partition)
    this.#names.advance(partition, change.announced)
    const places = change.places.map(({ kind, name }) => this.#names.list(partition.id, kind, name).id)
    for (const [index, put] of change.put.entries())
      this.#records.put(partition, rows[index] ?? null, put, places)
    for (const key of change.remove) this.#records.remove(partition, key)
    this.#add(partition, change.add, 1)
    if (change.announced > 0) this.#announce(partition, at, change.subjects, change.events)
    const { revision, sequence } = partition
    const answer: Committed = { outcome: 'committed', revision, sequence }
    this.#saveAnswer.run(change.id, at, JSON.stringify(answer))
    return answer
  }

  #firstStale(
    partition: PartitionRow | null,
    change: FlatChange,
    rows: readonly (RecordRow | null)[],
  ): Stale | null {
    for (const [key, expected] of change.expect) {
      const version = this.#records.find(partition, key)?.version ?? 0
      if (version !== expected) return { outcome: 'stale', key, version }
    }
    for (const [index, { key, expect }] of change.put.entries()) {
      const version = rows[index]?.version ?? 0
      if (expect !== null && version !== expect) return { outcome: 'stale', key, version }
    }
    return null
  }

  #claim(claim: Claim, at: number): Claimed {
    const answered = this.#findAnswer.get(claim.id)
    if (answered) return this.#claimedBefore(claim, JSON.parse(String(answered['answer'])) as string[])
    const partition = this.#names.findPartition(claim.partition)
    const queue = partition && this.#names.findList(partition.id, listKinds.queue, claim.queue)
    if (!partition || !queue || queue.depth === 0) return { records: [] }
    const rows = this.#headOf(queue.id, this.#allowed(partition, claim))
    if (rows.length === 0) return { records: [] }
    this.#names.advance(partition, rows.length)
    this.#names.deepen(queue.id, -rows.length)
    const records = rows.map((row, index) => this.#attachAttempt(partition, claim, row, index))
    this.#add(partition, Object.entries(claim.add ?? {}), rows.length)
    const subjects = rows.map((row) => row.key)
    const events = claim.attempts.slice(0, rows.length).map((prepared) => prepared.event)
    this.#announce(partition, at, subjects.join('\t'), events.join('\n'))
    this.#saveAnswer.run(claim.id, at, JSON.stringify(subjects))
    return { records }
  }

  #allowed(partition: PartitionRow, claim: Claim): number {
    let allowed = claim.attempts.length
    for (const { counter, max } of claim.limits ?? []) {
      const value = Number(this.#counter.get(partition.id, counter)?.['value'] ?? 0)
      allowed = Math.min(allowed, max - value)
    }
    return Math.max(0, allowed)
  }

  #headOf(queue: number, count: number): ClaimRow[] {
    type Place = number | null
    type Row = [number, number, Place, Place, Place, Place, Place, Place, string, string, string]
    const rows = this.#queueHead.all(queue, count) as unknown as Row[]
    return rows.map(([id, version, dueAt, score, a, b, c, d, key, head, body]) => {
      return { id, version, dueAt, queue, score, lists: [a, b, c, d], key, head, body }
    })
  }

  #attachAttempt(partition: PartitionRow, claim: Claim, row: ClaimRow, index: number): StoredRecord {
    const prepared = claim.attempts[index]
    if (!prepared) throw new Error('more records were claimed than attempts prepared')
    const { dueAt, attempt } = prepared
    const version = partition.revision
    const lists = this.#records.swapWideList(partition, row.lists, claim.move.from, claim.move.to)
    this.#records.attach(row, { dueAt, queue: null, score: null, lists }, version, attempt)
    return { partition: partition.name, key: row.key, version, head: row.head, attempt, body: row.body }
  }

  #claimedBefore(claim: Claim, keys: readonly string[]): Claimed {
    const partition = this.#names.partition(claim.partition)
    const records = keys.flatMap((key, index) => {
      const row = this.#whole.get(partition.id, key) as unknown as
        | [number, string, string | null, string]
        | undefined
      if (!row) return []
      const [version, head, attempt, body] = row
      // Requeued since, and perhaps taken by another claim.
      if (attempt !== claim.attempts[index]?.attempt) return []
      return [{ partition: partition.name, key, version, head, attempt, body }]
    })
    return { records }
  }

  #add(partition: PartitionRow, counters: FlatChange['add'], times: number): void {
    for (const [name, delta] of counters) {
      const value = this.#addCounter.get(partition.id, name, delta * times)?.['value']
      if (value === 0) this.#dropCounter.run(partition.id, name)
    }
  }

  #announce(partition: PartitionRow, at: number, subjects: string, events: string): void {
    const { id, revision, sequence } = partition
    this.#appendLog.run(id, revision, sequence, at, subjects, events)
  }
}
