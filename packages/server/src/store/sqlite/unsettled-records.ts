// Records as they are now, where the table does not have them so yet. A record that is here is never asked for in the
// table, and every record that waits in a queue and is here stands in that queue's line; so the rows of a queue's table
// that count are those whose record is not here, and there are as many as the queue is deep beyond its line.

import type { DueRecord, PreparedAttempt, StoredRecord } from '../../ports/store.ts'
import type { FlatPut } from './flat-writes.ts'
import type { ListRow, Names, PartitionRow } from './names.ts'
import type { Lists, RecordRow, RecordTable, WaitingRow } from './record-table.ts'
import type { Settling } from './settling.ts'
import { comesBefore, WaitingLine } from './waiting-line.ts'

const nowhere: Lists = [null, null, null, null]

export class UnsettledRecord {
  readonly partition: PartitionRow
  readonly key: string
  /** As the table has it; null where it does not. */
  readonly settled: RecordRow | null
  /** 0: it is removed. */
  version = 0
  head = ''
  attempt: string | null = null
  /** Null: not known here, and as the table has it. */
  body: string | null = null
  bodyChanged = false
  dueAt: number | null = null
  queue: ListRow | null = null
  score: number | null = null
  lists: Lists = nowhere

  constructor(partition: PartitionRow, key: string, settled: RecordRow | null) {
    this.partition = partition
    this.key = key
    this.settled = settled
  }
}

/** A record as it is found: here, in the table, or not at all. */
export type Found = UnsettledRecord | RecordRow | null

interface Line {
  readonly records: WaitingLine<UnsettledRecord>
  /** Every row of the queue's table up to here is of a record that is here. */
  passedScore: number
  passedKey: string
}

export class UnsettledRecords implements Settling {
  readonly #table: RecordTable
  readonly #names: Names
  readonly #partitions = new Map<PartitionRow, Map<string, UnsettledRecord>>()
  readonly #lines = new Map<ListRow, Line>()
  #count = 0

  constructor(table: RecordTable, names: Names) {
    this.#table = table
    this.#names = names
  }

  get count(): number {
    return this.#count
  }

  find(partition: PartitionRow | null, key: string): Found {
    if (!partition) return null
    return this.#partitions.get(partition)?.get(key) ?? this.#table.find(partition, key)
  }

  read(partition: PartitionRow, key: string): StoredRecord | null {
    const unsettled = this.#partitions.get(partition)?.get(key)
    if (unsettled) return unsettled.version === 0 ? null : this.stored(unsettled)
    const row = this.#table.whole(partition, key)
    return row && { partition: partition.name, key, ...row }
  }

  stored(record: UnsettledRecord): StoredRecord {
    const { key, version, head, attempt } = record
    const body = record.body ?? (record.settled ? this.#table.body(record.settled) : '')
    // Thousands of large ones would fill the memory, and the table has it.
    if (!record.bodyChanged) record.body = null
    return { partition: record.partition.name, key, version, head, attempt, body }
  }

  /** `found` is what `find` said; `places` are the lists and queues of the change's table of places. */
  put(partition: PartitionRow, found: Found, put: FlatPut, places: readonly ListRow[]): void {
    const isNew = !found || found.version === 0
    const record = this.#leave(partition, put.key, found)
    const list = (place: number | null): number | null =>
      place === null ? null : (places[place]?.id ?? null)
    if (put.body !== null || isNew) {
      record.body = put.body ?? ''
      record.bodyChanged = true
    }
    record.version = partition.revision
    record.head = put.head
    record.attempt = put.attempt
    record.dueAt = put.dueAt
    record.score = put.score
    record.queue = put.queue === null ? null : (places[put.queue] ?? null)
    record.lists = [list(put.a), list(put.b), list(put.c), list(put.d)]
    if (record.queue) this.#enter(record, record.queue)
  }

  remove(partition: PartitionRow, key: string): void {
    const found = this.find(partition, key)
    if (!found || found.version === 0) return
    const record = this.#leave(partition, key, found)
    record.version = 0
  }

  /** Takes the first records out of a queue, at most `count`. */
  take(queue: ListRow, count: number): UnsettledRecord[] {
    const line = this.#line(queue)
    const rows = this.#rowsBehind(queue, line, count)
    const taken: UnsettledRecord[] = []
    for (let next = 0; taken.length < count; ) {
      const [first, row] = [line.records.first, rows[next]]
      if (row && (!first || comesBefore(row, first))) {
        next += 1
        taken.push(this.#adopt(queue.partition, row))
        line.passedScore = row.score
        line.passedKey = row.key
      } else if (first) {
        line.records.shift()
        taken.push(first)
      } else break
    }
    this.#names.deepen(queue, -taken.length)
    for (const record of taken) {
      record.queue = null
      record.score = null
    }
    return taken
  }

  /** Of a queue that is not empty. */
  headScore(queue: ListRow): number {
    const line = this.#line(queue)
    const [row] = this.#rowsBehind(queue, line, 1)
    const first = line.records.first
    const head = row && (!first || comesBefore(row, first)) ? row : first
    if (!head) throw new Error(`queue ${queue.name} is ${queue.depth} deep and empty`)
    return head.score ?? 0
  }

  /** Attaches a claim's attempt; the record stands in list `to` instead of `from`, where it stood in that one. */
  attach(record: UnsettledRecord, { attempt, dueAt }: PreparedAttempt, from: ListRow, to: ListRow): void {
    const [a, b, c, d] = record.lists
    const instead = record.lists.includes(to.id) ? null : to.id
    const move = (list: number | null): number | null => (list === from.id ? instead : list)
    if (from !== to) record.lists = [move(a), move(b), move(c), move(d)]
    record.version = record.partition.revision
    record.attempt = attempt
    record.dueAt = dueAt
  }

  /** In no order. Rows of records that are here are left out, so as many more are asked for. */
  due(now: number, limit: number): DueRecord[] {
    const due: DueRecord[] = []
    for (const [partition, records] of this.#partitions) {
      for (const { key, version, dueAt } of records.values()) {
        if (version !== 0 && dueAt !== null && dueAt <= now)
          due.push({ dueAt, partition: partition.name, key })
      }
    }
    const isHere = ({ partition, key }: DueRecord): boolean => {
      const known = this.#names.findPartition(partition)
      return known !== null && this.#partitions.get(known)?.has(key) === true
    }
    for (const row of this.#table.due(now, limit + this.#count)) if (!isHere(row)) due.push(row)
    return due
  }

  save(): void {
    for (const records of this.#partitions.values()) for (const record of records.values()) this.#save(record)
  }

  saved(): void {
    this.#partitions.clear()
    this.#lines.clear()
    this.#count = 0
  }

  #save(record: UnsettledRecord): void {
    const { partition, key, settled, version, attempt, head, dueAt, queue, score, lists } = record
    if (version === 0) {
      if (settled) this.#table.delete(settled)
      return
    }
    const texts = { version, attempt, head, body: record.bodyChanged ? record.body : null }
    const places = { dueAt, queue: queue?.id ?? null, score, lists }
    if (settled) this.#table.update(settled, texts, places)
    else this.#table.insert(partition, key, texts, places)
  }

  /** The record brought here, and out of the queue it waits in. */
  #leave(partition: PartitionRow, key: string, found: Found): UnsettledRecord {
    if (found instanceof UnsettledRecord) {
      if (found.queue) {
        this.#line(found.queue).records.remove(found)
        this.#names.deepen(found.queue, -1)
        found.queue = null
      }
      return found
    }
    if (found && found.queue !== null) this.#names.deepen(this.#names.listById(found.queue), -1)
    return this.#bring(new UnsettledRecord(partition, key, found))
  }

  #enter(record: UnsettledRecord, queue: ListRow): void {
    this.#line(queue).records.add(record)
    this.#names.deepen(queue, 1)
  }

  #adopt(partition: PartitionRow, row: WaitingRow): UnsettledRecord {
    const record = this.#bring(new UnsettledRecord(partition, row.key, row))
    record.version = row.version
    record.head = row.head
    record.body = row.body
    record.dueAt = row.dueAt
    record.lists = row.lists
    return record
  }

  #bring(record: UnsettledRecord): UnsettledRecord {
    let records = this.#partitions.get(record.partition)
    if (!records) {
      records = new Map()
      this.#partitions.set(record.partition, records)
    }
    records.set(record.key, record)
    if (!record.settled) this.#table.expect(record.partition, record.key)
    this.#count += 1
    return record
  }

  #line(queue: ListRow): Line {
    const known = this.#lines.get(queue)
    if (known) return known
    const line = {
      records: new WaitingLine<UnsettledRecord>(),
      passedScore: Number.MIN_SAFE_INTEGER,
      passedKey: '',
    }
    this.#lines.set(queue, line)
    return line
  }

  /** The first rows of the queue's table that count, at most `limit`. */
  #rowsBehind(queue: ListRow, line: Line, limit: number): WaitingRow[] {
    const wanted = Math.min(limit, queue.depth - line.records.length)
    const here = this.#partitions.get(queue.partition)
    const rows: WaitingRow[] = []
    let [score, key] = [line.passedScore, line.passedKey]
    while (rows.length < wanted) {
      const more = this.#table.waiting(queue.id, score, key, wanted - rows.length)
      for (const row of more) {
        score = row.score
        key = row.key
        if (!here?.has(key)) rows.push(row)
        else if (rows.length === 0) {
          line.passedScore = score
          line.passedKey = key
        }
      }
      if (more.length === 0) throw new Error(`queue ${queue.name} is less deep than it says`)
    }
    return rows
  }
}
