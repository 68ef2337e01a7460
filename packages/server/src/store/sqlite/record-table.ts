// The settled records: what their table says, and the statements that bring it up to date. An update names only the
// columns that changed, because SQLite rewrites the index of every column that is named.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { DueRecord } from '../../ports/store.ts'
import { compareNames } from '../merge-pages.ts'
import type { PartitionRow } from './names.ts'
import { bodyColumn, dueStatement } from './schema.ts'

type Place = number | null
export type Lists = readonly [Place, Place, Place, Place]

export interface Places {
  readonly dueAt: number | null
  readonly queue: number | null
  readonly score: number | null
  readonly lists: Lists
}

export interface RecordRow extends Places {
  readonly id: number
  readonly version: number
}

export interface Texts {
  readonly version: number
  readonly attempt: string | null
  readonly head: string
  /** Null: as it is. */
  readonly body: string | null
}

export interface WaitingRow extends RecordRow {
  readonly key: string
  readonly score: number
  readonly head: string
  readonly body: string
}

export interface WholeRow {
  readonly version: number
  readonly head: string
  readonly attempt: string | null
  readonly body: string
}

/** The highest key of its kind, `kind` being the key up to and including its first slash. */
interface Highest {
  readonly partition: PartitionRow
  readonly kind: string
  key: string
}

// A longer one would be copied with every transition of its record; a shorter one is copied faster than looked up.
const longFrom = 2_000
const placeColumns = ['due_at', 'queue', 'score', 'list_a', 'list_b', 'list_c', 'list_d'] as const

export class RecordTable {
  readonly #db: DatabaseSync
  readonly #find: StatementSync
  readonly #whole: StatementSync
  readonly #body: StatementSync
  readonly #insert: StatementSync
  readonly #setBody: StatementSync
  readonly #addLongBody: StatementSync
  readonly #deleteLongBody: StatementSync
  readonly #delete: StatementSync
  readonly #waiting: StatementSync
  readonly #due: StatementSync
  readonly #highestKey: StatementSync
  readonly #lastId: StatementSync
  readonly #highest = new Map<string, Highest>()
  #lastHighest: Highest | null = null
  readonly #updates: (StatementSync | undefined)[] = []

  constructor(db: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return statement
    }
    this.#db = db
    const places = 'r.due_at, r.queue, r.score, r.list_a, r.list_b, r.list_c, r.list_d'
    this.#find = prepare(
      `SELECT r.id, r.version, ${places} FROM record r WHERE r.partition = ? AND r.key = ?`,
    )
    this.#whole = prepare(
      `SELECT r.version, r.head, r.attempt, ${bodyColumn} FROM record r WHERE r.partition = ? AND r.key = ?`,
    )
    this.#body = prepare(`SELECT ${bodyColumn} FROM record r WHERE r.id = ?`)
    this.#insert = prepare(
      `INSERT INTO record
       (id, partition, key, version, attempt, head, body, due_at, queue, score, list_a, list_b, list_c, list_d)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#setBody = prepare('UPDATE record SET body = ? WHERE id = ?')
    this.#addLongBody = prepare('INSERT OR REPLACE INTO long_body (record, body) VALUES (?, ?)')
    this.#deleteLongBody = prepare('DELETE FROM long_body WHERE record = ?')
    this.#delete = prepare('DELETE FROM record WHERE id = ?')
    this.#waiting = prepare(
      `SELECT r.id, r.version, ${places}, r.key, r.head, ${bodyColumn} FROM record r INDEXED BY record_queue
       WHERE r.queue = ? AND (r.score, r.key) > (?, ?) ORDER BY r.score, r.key LIMIT ?`,
    )
    this.#due = prepare(dueStatement)
    this.#lastId = prepare('SELECT coalesce(max(id), 0) FROM record')
    this.#highestKey = prepare('SELECT max(key) FROM record WHERE partition = ? AND key >= ? AND key < ?')
  }

  find(partition: PartitionRow, key: string): RecordRow | null {
    type Row = [number, number, Place, Place, Place, Place, Place, Place, Place]
    const row = this.#find.get(partition.id, key) as unknown as Row | undefined
    if (!row) return null
    const [id, version, dueAt, queue, score, a, b, c, d] = row
    return { id, version, dueAt, queue, score, lists: [a, b, c, d] }
  }

  due(now: number, limit: number): DueRecord[] {
    const rows = this.#due.all(now, limit) as unknown as [number, string, string][]
    return rows.map(([dueAt, partition, key]) => ({ dueAt, partition, key }))
  }

  /** A record of this key is about to be made; the table will hold it once it is settled. */
  expect(partition: PartitionRow, key: string): void {
    if (!this.isNew(partition, key)) return
    this.#highestOf(partition, kindOf(key)).key = key
  }

  /**
   * Whether there was never a record of this key, neither in the table nor expected. Keys sort by time, so nearly every new
   * record's is past all of its kind, and need not be looked for.
   */
  isNew(partition: PartitionRow, key: string): boolean {
    const last = this.#lastHighest
    if (last && last.partition === partition && key.startsWith(last.kind))
      return compareNames(key, last.key) > 0
    const kind = kindOf(key)
    return kind !== '' && compareNames(key, this.#highestOf(partition, kind).key) > 0
  }

  whole(partition: PartitionRow, key: string): WholeRow | null {
    const row = this.#whole.get(partition.id, key)
    if (!row) return null
    const [version, head, attempt, body] = row as unknown as [number, string, string | null, string]
    return { version, head, attempt, body }
  }

  body(row: RecordRow): string {
    const [body] = this.#body.get(row.id) as unknown as [string]
    return body
  }

  /** Those that wait in a queue behind a place in it, the first of them first. */
  waiting(queue: number, score: number, key: string, limit: number): WaitingRow[] {
    type Row = [number, number, Place, Place, number, Place, Place, Place, Place, string, string, string]
    const rows = this.#waiting.all(queue, score, key, limit) as unknown as Row[]
    return rows.map(([id, version, dueAt, its, at, a, b, c, d, name, head, body]) => {
      return { id, version, dueAt, queue: its, score: at, lists: [a, b, c, d], key: name, head, body }
    })
  }

  /** The highest number of a row. */
  lastId(): number {
    return (this.#lastId.get() as unknown as [number])[0]
  }

  // By `get`, here and in an update: there is nothing to get, but `run` makes an object to tell of each row.
  insert(id: number, partition: PartitionRow, key: string, texts: Texts, places: Places): void {
    const { version, attempt, head } = texts
    const { dueAt, queue, score, lists } = places
    const body = texts.body ?? ''
    const short = body.length < longFrom ? body : null
    const [a, b, c, d] = lists
    this.#insert.get(id, partition.id, key, version, attempt, head, short, dueAt, queue, score, a, b, c, d)
    if (short === null) this.#addLongBody.run(id, body)
  }

  update(before: RecordRow, { version, attempt, head, body }: Texts, after: Places): void {
    const values: SQLInputValue[] = [version, attempt, head]
    let which = 0
    const compare = (bit: number, old: number | null, value: number | null): void => {
      if (old === value) return
      which |= bit
      values.push(value)
    }
    compare(1, before.dueAt, after.dueAt)
    compare(2, before.queue, after.queue)
    compare(4, before.score, after.score)
    compare(8, before.lists[0], after.lists[0])
    compare(16, before.lists[1], after.lists[1])
    compare(32, before.lists[2], after.lists[2])
    compare(64, before.lists[3], after.lists[3])
    const statement = this.#updates[which] ?? this.#prepareUpdate(which)
    this.#updates[which] = statement
    statement.get(...values, before.id)
    if (body !== null) this.#replaceBody(before.id, body)
  }

  delete({ id }: RecordRow): void {
    this.#deleteLongBody.run(id)
    this.#delete.run(id)
  }

  #replaceBody(id: number, body: string): void {
    const short = body.length < longFrom ? body : null
    this.#setBody.run(short, id)
    if (short === null) this.#addLongBody.run(id, body)
    else this.#deleteLongBody.run(id)
  }

  #prepareUpdate(which: number): StatementSync {
    const changed = placeColumns.filter((_, bit) => which & (1 << bit)).map((column) => `, ${column} = ?`)
    return this.#db.prepare(
      `UPDATE record SET version = ?, attempt = ?, head = ?${changed.join('')} WHERE id = ?`,
    )
  }

  #highestOf(partition: PartitionRow, kind: string): Highest {
    const last = this.#lastHighest
    if (last && last.partition === partition && last.kind === kind) return last
    const address = `${partition.id}\t${kind}`
    const highest = this.#highest.get(address) ?? this.#findHighest(partition, kind)
    this.#highest.set(address, highest)
    this.#lastHighest = highest
    return highest
  }

  #findHighest(partition: PartitionRow, kind: string): Highest {
    // '0' is the letter after '/', so it ends the kind's keys.
    const row = this.#highestKey.get(partition.id, kind, `${kind.slice(0, -1)}0`)
    const [key] = row as unknown as [string | null]
    return { partition, kind, key: key ?? '' }
  }
}

function kindOf(key: string): string {
  return key.slice(0, key.indexOf('/') + 1)
}
