// One record with its body and its places. Whoever changes a record goes through here. An update names only the
// columns that changed, because SQLite rewrites the index of every column that is named.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { FlatPut } from './flat-writes.ts'
import type { Names, PartitionRow } from './names.ts'
import { listKinds } from './schema.ts'

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

export type Lists = readonly [number | null, number | null, number | null, number | null]

const nowhere: Places = { dueAt: null, queue: null, score: null, lists: [null, null, null, null] }
const placeColumns = ['due_at', 'queue', 'score', 'list_a', 'list_b', 'list_c', 'list_d'] as const

export class RecordTable {
  readonly #names: Names
  readonly #find: StatementSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync
  readonly #insertBody: StatementSync
  readonly #replaceBody: StatementSync
  readonly #deleteBody: StatementSync
  readonly #replacing: PlaceUpdates
  readonly #attaching: PlaceUpdates

  constructor(db: DatabaseSync, names: Names) {
    this.#names = names
    this.#find = db.prepare(
      `SELECT id, version, due_at, queue, score, list_a, list_b, list_c, list_d FROM record
       WHERE partition = ? AND key = ?`,
    )
    this.#find.setReturnArrays(true)
    this.#insert = db.prepare(
      `INSERT INTO record (partition, key, version, attempt, head, due_at, queue, score, list_a, list_b, list_c, list_d)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#delete = db.prepare('DELETE FROM record WHERE id = ?')
    this.#insertBody = db.prepare('INSERT INTO body (record, body) VALUES (?, ?)')
    this.#replaceBody = db.prepare('UPDATE body SET body = ? WHERE record = ?')
    this.#deleteBody = db.prepare('DELETE FROM body WHERE record = ?')
    this.#replacing = new PlaceUpdates(db, 'version = ?, attempt = ?, head = ?')
    this.#attaching = new PlaceUpdates(db, 'version = ?, attempt = ?')
  }

  find(partition: PartitionRow | null, key: string): RecordRow | null {
    if (!partition) return null
    type Row = [number, number, ...(number | null)[]]
    const row = this.#find.get(partition.id, key) as unknown as Row | undefined
    if (!row) return null
    const [id, version, dueAt = null, queue = null, score = null, a = null, b = null, c = null, d = null] =
      row
    return { id, version, dueAt, queue, score, lists: [a, b, c, d] }
  }

  /** `ids` are the lists and queues of the change's table of places. */
  put(partition: PartitionRow, before: RecordRow | null, put: FlatPut, ids: readonly number[]): void {
    const after = placesOf(put, ids)
    const { revision } = partition
    if (before) {
      this.#replacing.run(before, after, [revision, put.attempt, put.head])
      if (put.body !== null) this.#replaceBody.run(put.body, before.id)
    } else {
      const { dueAt, queue, score, lists } = after
      const [a, b, c, d] = lists
      const { id } = partition
      const added = this.#insert.run(
        id,
        put.key,
        revision,
        put.attempt,
        put.head,
        dueAt,
        queue,
        score,
        a,
        b,
        c,
        d,
      )
      this.#insertBody.run(added.lastInsertRowid, put.body ?? '')
    }
    this.#countQueues(before ?? nowhere, after)
  }

  remove(partition: PartitionRow, key: string): void {
    const before = this.find(partition, key)
    if (!before) return
    this.#countQueues(before, nowhere)
    this.#deleteBody.run(before.id)
    this.#delete.run(before.id)
  }

  /** For a claim, which writes no head and counts the queue's depth itself. */
  attach(before: RecordRow, after: Places, version: number, attempt: string): void {
    this.#attaching.run(before, after, [version, attempt])
  }

  /** The lists after one wide list gave way to another, where the first was among them. */
  swapWideList(partition: PartitionRow, lists: Lists, from: string, to: string): Lists {
    const leaving = this.#names.list(partition.id, listKinds.wide, from).id
    const entering = this.#names.list(partition.id, listKinds.wide, to).id
    const instead = lists.includes(entering) ? null : entering
    const swap = (list: number | null): number | null => (list === leaving ? instead : list)
    return from === to ? lists : [swap(lists[0]), swap(lists[1]), swap(lists[2]), swap(lists[3])]
  }

  #countQueues(before: Places, after: Places): void {
    if (before.queue === after.queue) return
    if (before.queue !== null) this.#names.deepen(before.queue, -1)
    if (after.queue !== null) this.#names.deepen(after.queue, 1)
  }
}

/** Updates of some texts and of just those places that differ, one prepared statement for each combination met. */
class PlaceUpdates {
  readonly #db: DatabaseSync
  readonly #texts: string
  readonly #statements: (StatementSync | undefined)[] = []

  constructor(db: DatabaseSync, texts: string) {
    this.#db = db
    this.#texts = texts
  }

  run(before: RecordRow, after: Places, values: SQLInputValue[]): void {
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
    const statement = this.#statements[which] ?? this.#prepare(which)
    this.#statements[which] = statement
    statement.run(...values, before.id)
  }

  #prepare(which: number): StatementSync {
    const changed = placeColumns.filter((_, bit) => which & (1 << bit)).map((column) => `${column} = ?`)
    return this.#db.prepare(`UPDATE record SET ${[this.#texts, ...changed].join(', ')} WHERE id = ?`)
  }
}

function placesOf(put: FlatPut, ids: readonly number[]): Places {
  const id = (place: number | null): number | null => (place === null ? null : (ids[place] ?? null))
  const lists: Lists = [id(put.a), id(put.b), id(put.c), id(put.d)]
  return { dueAt: put.dueAt, queue: id(put.queue), score: put.score, lists }
}
