// Records as they are now, where the table does not have them so yet. A record that is here is never asked for in the
// table, and every record that waits in a queue and is here stands in that queue's line; so the rows of a queue's table
// that count are those whose record is not here, and there are as many as the queue is deep beyond its line.
// What is set aside for a settle stays here unchanged until the table has it; a change of it begins with a copy.

import type { DueRecord, PreparedAttempt, StoredRecord } from '../../ports/store.ts'
import type { FlatPut } from './flat-writes.ts'
import type { ListRow, Names, PartitionRow } from './names.ts'
import type { Lists, Places, RecordRow, RecordTable, WaitingRow } from './record-table.ts'
import { inSteps, type Settling } from './settling.ts'
import { comesBefore, WaitingLine } from './waiting-line.ts'

const nowhere: Lists = [null, null, null, null]

export class UnsettledRecord {
  readonly partition: PartitionRow
  readonly key: string
  /** As the table has it, once it has what is set aside; null where it has none then. */
  readonly settled: RecordRow | null
  /** Which settle it goes with. */
  readonly turn: number
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
  /** Of its row; 0 until it has one. */
  id: number

  constructor(partition: PartitionRow, key: string, settled: RecordRow | null, turn: number) {
    this.partition = partition
    this.key = key
    this.settled = settled
    this.turn = turn
    this.id = settled?.id ?? 0
  }
}

type RecordsHere = Map<PartitionRow, Map<string, UnsettledRecord>>

/** A record as it is found: here, in the table, or not at all. */
export type Found = UnsettledRecord | RecordRow | null

interface Line {
  readonly records: WaitingLine<UnsettledRecord>
  /** Every row of the queue's table up to here is of a record that is here. */
  passedScore: number
  passedKey: string
  /** The rows behind that place, as far as they were read. They stay true until the tables change. */
  readonly read: WaitingRow[]
}

// Rows whose bodies are longer together are not kept for the next claim: memory is for what the tables lack.
const keptLetters = 256 * 1_024

export class UnsettledRecords implements Settling {
  readonly #table: RecordTable
  readonly #names: Names
  readonly #lines = new Map<ListRow, Line>()
  #changed: RecordsHere = new Map()
  #setAside: RecordsHere = new Map()
  #count = 0
  #countSetAside = 0
  #turn = 0
  #lastId: number
  #lastLists = nowhere
  /** The queue that was claimed from last, and how many rows of its table that took. */
  #lastClaim: { readonly queue: ListRow; readonly rows: number } | null = null

  constructor(table: RecordTable, names: Names) {
    this.#table = table
    this.#names = names
    this.#lastId = table.lastId()
  }

  /** Of those that are not set aside. */
  get count(): number {
    return this.#count
  }

  find(partition: PartitionRow | null, key: string): Found {
    if (!partition || this.#table.isNew(partition, key)) return null
    return this.#here(partition, key) ?? this.#table.find(partition, key)
  }

  read(partition: PartitionRow, key: string): StoredRecord | null {
    const unsettled = this.#here(partition, key)
    if (unsettled) return unsettled.version === 0 ? null : this.stored(unsettled)
    const row = this.#table.whole(partition, key)
    return row && { partition: partition.name, key, ...row }
  }

  stored(record: UnsettledRecord): StoredRecord {
    const { key, version, head, attempt } = record
    const body = record.body ?? this.#bodyOf(record)
    // Thousands of large ones would fill the memory, and the table has it.
    if (!record.bodyChanged) record.body = null
    return { partition: record.partition.name, key, version, head, attempt, body }
  }

  /** `found` is what `find` said; `places` are the lists and queues of the change's table of places. */
  put(partition: PartitionRow, found: Found, put: FlatPut, places: readonly ListRow[]): void {
    const isNew = !found || found.version === 0
    const record = this.#leave(partition, put.key, found)
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
    record.lists = this.#listsOf(put, places)
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
    let next = 0
    while (taken.length < count) {
      const [first, row] = [line.records.first, rows[next]]
      if (row && (!first || comesBefore(row, first))) {
        next += 1
        taken.push(this.#adopt(queue.partition, row))
      } else if (first) {
        line.records.shift()
        taken.push(this.#toChange(first))
      } else break
    }
    const lastRow = rows[next - 1]
    if (lastRow) pass(line, lastRow)
    this.#lastClaim = lastRow && areShort(rows) ? { queue, rows: next } : null
    if (!areShort(line.read)) line.read.length = 0
    this.#names.deepen(queue, -taken.length)
    for (const record of taken) {
      record.queue = null
      record.score = null
    }
    return taken
  }

  /** Reads the rows that the next claim will probably want. Whether any are kept for it. */
  readAhead(): boolean {
    if (this.#lastClaim === null) return false
    const { queue, rows } = this.#lastClaim
    this.#lastClaim = null
    const line = this.#lines.get(queue)
    const left = line ? Math.min(rows, queue.depth - line.records.length) - line.read.length : 0
    if (!line || left <= 0 || !this.#readOn(queue, line, left)) return false
    if (areShort(line.read)) return true
    line.read.length = 0
    return false
  }

  /** Of a queue that is not empty. */
  headScore(queue: ListRow): number {
    const line = this.#line(queue)
    const isRead = line.read.length > 0
    const [row] = this.#rowsBehind(queue, line, 1)
    // There may be thousands of queues, and nobody claims from most of them.
    if (!isRead) line.read.length = 0
    const first = line.records.first
    const head = row && (!first || comesBefore(row, first)) ? row : first
    if (!head) throw new Error(`queue ${queue.name} is ${queue.depth} deep and empty`)
    return head.score ?? 0
  }

  /** Attaches a claim's attempt; the record stands in list `to` instead of `from`, where it stood in that one. */
  attach(record: UnsettledRecord, { attempt, dueAt }: PreparedAttempt, from: ListRow, to: ListRow): void {
    if (from !== to) record.lists = this.#moved(record.lists, from.id, to.id)
    record.version = record.partition.revision
    record.attempt = attempt
    record.dueAt = dueAt
  }

  /** In no order. Rows of records that are here are left out, so as many more are asked for. */
  due(now: number, limit: number): DueRecord[] {
    const due: DueRecord[] = []
    for (const here of [this.#changed, this.#setAside]) {
      for (const [partition, records] of here) {
        for (const record of records.values()) {
          const { key, version, dueAt } = record
          if (version === 0 || dueAt === null || dueAt > now) continue
          if (this.#here(partition, key) === record) due.push({ dueAt, partition: partition.name, key })
        }
      }
    }
    const isHere = ({ partition, key }: DueRecord): boolean => {
      const known = this.#names.findPartition(partition)
      return known !== null && this.#here(known, key) !== undefined
    }
    const rows = this.#table.due(now, limit + this.#count + this.#countSetAside)
    for (const row of rows) if (!isHere(row)) due.push(row)
    return due
  }

  setAside(): void {
    for (const records of this.#changed.values()) {
      for (const record of records.values())
        if (!record.settled && record.version !== 0) record.id = ++this.#lastId
    }
    this.#setAside = this.#changed
    this.#countSetAside = this.#count
    this.#changed = new Map()
    this.#count = 0
    this.#turn += 1
  }

  *save(): Iterable<unknown> {
    for (const records of this.#setAside.values())
      yield* inSteps(records.values(), (record) => this.#save(record))
  }

  // Rows that the table has got may count again, also before the place that a line had passed.
  saved(): void {
    this.#setAside = new Map()
    this.#countSetAside = 0
    const lines = [...this.#lines]
    this.#lines.clear()
    for (const [queue, { records }] of lines) {
      const left = records.filter(({ turn }) => turn === this.#turn)
      if (left.length > 0) this.#lines.set(queue, lineOf(left))
    }
  }

  #save(record: UnsettledRecord): void {
    const { partition, key, settled, version, attempt, head } = record
    if (version === 0) {
      if (settled) this.#table.delete(settled)
      return
    }
    const texts = { version, attempt, head, body: record.bodyChanged ? record.body : null }
    if (settled) this.#table.update(settled, texts, placesOf(record))
    else this.#table.insert(record.id, partition, key, texts, placesOf(record))
  }

  #here(partition: PartitionRow, key: string): UnsettledRecord | undefined {
    return this.#changed.get(partition)?.get(key) ?? this.#setAside.get(partition)?.get(key)
  }

  #bodyOf({ partition, key, settled }: UnsettledRecord): string {
    const setAside = this.#setAside.get(partition)?.get(key)?.body ?? null
    return setAside ?? (settled ? this.#table.body(settled) : '')
  }

  #listsOf({ a, b, c, d }: FlatPut, places: readonly ListRow[]): Lists {
    const id = (place: number | null): number | null => (place === null ? null : (places[place]?.id ?? null))
    return this.#shared(id(a), id(b), id(c), id(d))
  }

  #moved(lists: Lists, from: number, to: number): Lists {
    const instead = lists.includes(to) ? null : to
    const move = (list: number | null): number | null => (list === from ? instead : list)
    return this.#shared(move(lists[0]), move(lists[1]), move(lists[2]), move(lists[3]))
  }

  /** Neighbours mostly stand in the same lists: kept once, there is less to keep until it is settled. */
  #shared(...lists: Lists): Lists {
    const last = this.#lastLists
    if (lists.some((list, index) => list !== last[index])) this.#lastLists = lists
    return this.#lastLists
  }

  /** The record brought here, and out of the queue it waits in. */
  #leave(partition: PartitionRow, key: string, found: Found): UnsettledRecord {
    if (found instanceof UnsettledRecord) {
      if (found.queue) {
        this.#line(found.queue).records.remove(found)
        this.#names.deepen(found.queue, -1)
      }
      const record = this.#toChange(found)
      record.queue = null
      return record
    }
    if (found && found.queue !== null) this.#names.deepen(this.#names.listById(found.queue), -1)
    return this.#bring(new UnsettledRecord(partition, key, found, this.#turn))
  }

  #toChange(record: UnsettledRecord): UnsettledRecord {
    if (record.turn === this.#turn) return record
    const { partition, key, version, id } = record
    const settled = version === 0 ? null : { id, version, ...placesOf(record) }
    const copy = this.#bring(new UnsettledRecord(partition, key, settled, this.#turn))
    copy.id = id
    copy.version = version
    copy.head = record.head
    copy.attempt = record.attempt
    copy.dueAt = record.dueAt
    copy.queue = record.queue
    copy.score = record.score
    copy.lists = record.lists
    return copy
  }

  #enter(record: UnsettledRecord, queue: ListRow): void {
    this.#line(queue).records.add(record)
    this.#names.deepen(queue, 1)
  }

  #adopt(partition: PartitionRow, row: WaitingRow): UnsettledRecord {
    const record = this.#bring(new UnsettledRecord(partition, row.key, row, this.#turn))
    record.version = row.version
    record.head = row.head
    record.body = row.body
    record.dueAt = row.dueAt
    record.lists = row.lists
    return record
  }

  #bring(record: UnsettledRecord): UnsettledRecord {
    let records = this.#changed.get(record.partition)
    if (!records) {
      records = new Map()
      this.#changed.set(record.partition, records)
    }
    records.set(record.key, record)
    if (!record.settled) this.#table.expect(record.partition, record.key)
    this.#count += 1
    return record
  }

  #line(queue: ListRow): Line {
    const known = this.#lines.get(queue)
    if (known) return known
    const line = lineOf(new WaitingLine())
    this.#lines.set(queue, line)
    return line
  }

  /** The first rows of the queue's table that count, at most `limit`. */
  #rowsBehind(queue: ListRow, line: Line, limit: number): WaitingRow[] {
    const wanted = Math.min(limit, queue.depth - line.records.length)
    const rows: WaitingRow[] = []
    let passed: WaitingRow | null = null
    for (let at = 0; rows.length < wanted; at++) {
      if (at === line.read.length && !this.#readOn(queue, line, wanted - rows.length))
        throw new Error(`queue ${queue.name} is less deep than it says`)
      const row = line.read[at] as WaitingRow
      if (!this.#here(queue.partition, row.key)) rows.push(row)
      else if (rows.length === 0) passed = row
    }
    if (passed) pass(line, passed)
    return rows
  }

  /** False: there are no more. */
  #readOn(queue: ListRow, line: Line, limit: number): boolean {
    const last = line.read.at(-1)
    const [score, key] = last ? [last.score, last.key] : [line.passedScore, line.passedKey]
    const more = this.#table.waiting(queue.id, score, key, limit)
    for (const row of more) line.read.push(row)
    return more.length > 0
  }
}

function areShort(rows: readonly WaitingRow[]): boolean {
  return rows.reduce((sum, { body }) => sum + body.length, 0) <= keptLetters
}

/** Up to this row, which was read, all are of records that are here. */
function pass(line: Line, row: WaitingRow): void {
  line.passedScore = row.score
  line.passedKey = row.key
  line.read.splice(0, line.read.indexOf(row) + 1)
}

function lineOf(records: WaitingLine<UnsettledRecord>): Line {
  return { records, passedScore: Number.MIN_SAFE_INTEGER, passedKey: '', read: [] }
}

function placesOf({ dueAt, queue, score, lists }: UnsettledRecord): Places {
  return { dueAt, queue: queue?.id ?? null, score, lists }
}
