// One record with its body and its places. Whoever changes a record goes through here. An update names only the
// columns that changed, because SQLite rewrites the index of every column that is named.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Put } from '../../ports/store.ts'
import type { Names, PartitionRow } from './names.ts'
import { listKinds } from './schema.ts'

export interface RecordRow {
  readonly id: number
  readonly version: number
  readonly dueAt: number | null
  readonly queue: number | null
  readonly score: number | null
  readonly lists: Lists
}

export type Lists = readonly [number | null, number | null, number | null, number | null]

type Places = Pick<RecordRow, 'dueAt' | 'queue' | 'score' | 'lists'>

const nowhere: Places = { dueAt: null, queue: null, score: null, lists: [null, null, null, null] }
const listColumns = ['list_a', 'list_b', 'list_c', 'list_d'] as const

export class RecordTable {
  readonly #db: DatabaseSync
  readonly #names: Names
  readonly #find: StatementSync
  readonly #insert: StatementSync
  readonly #updates = new Map<string, StatementSync>()
  readonly #delete: StatementSync
  readonly #saveBody: StatementSync
  readonly #deleteBody: StatementSync

  constructor(db: DatabaseSync, names: Names) {
    this.#db = db
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
    this.#saveBody = db.prepare('INSERT OR REPLACE INTO body (record, body) VALUES (?, ?)')
    this.#deleteBody = db.prepare('DELETE FROM body WHERE record = ?')
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

  put(partition: PartitionRow, before: RecordRow | null, put: Put): void {
    const after = this.#placesOf(partition, put)
    const attempt = put.attempt ?? null
    if (before) {
      this.update(before, after, { version: partition.revision, attempt, head: put.head })
      if (put.body !== undefined) this.#saveBody.run(before.id, put.body)
    } else {
      const { dueAt, queue, score, lists } = after
      const texts = [partition.id, put.key, partition.revision, attempt, put.head]
      const { lastInsertRowid } = this.#insert.run(...texts, dueAt, queue, score, ...lists)
      this.#saveBody.run(lastInsertRowid, put.body ?? '')
    }
    this.#countQueues(before ?? nowhere, after)
  }

  remove(before: RecordRow): void {
    this.#countQueues(before, nowhere)
    this.#deleteBody.run(before.id)
    this.#delete.run(before.id)
  }

  /** Writes the texts given and the places that differ; the depths of queues are the caller's to count. */
  update(
    before: Places & { id: number },
    after: Places,
    texts: Readonly<Record<string, SQLInputValue>>,
  ): void {
    const columns = Object.keys(texts)
    const values = Object.values(texts)
    const set = (column: string, old: number | null, value: number | null): void => {
      if (old === value) return
      columns.push(column)
      values.push(value)
    }
    set('due_at', before.dueAt, after.dueAt)
    set('queue', before.queue, after.queue)
    set('score', before.score, after.score)
    for (const [place, column] of listColumns.entries()) {
      set(column, before.lists[place] ?? null, after.lists[place] ?? null)
    }
    this.#updateOf(columns).run(...values, before.id)
  }

  /** The lists after leaving one wide list for another. */
  swapWideList(partition: PartitionRow, lists: Lists, from: string, to: string): Lists {
    const leaving = this.#names.list(partition.id, listKinds.wide, from).id
    const entering = this.#names.list(partition.id, listKinds.wide, to).id
    if (lists.includes(entering))
      return lists.map((list) => (list === leaving ? null : list)) as unknown as Lists
    const place = lists.includes(leaving) ? lists.indexOf(leaving) : lists.indexOf(null)
    if (place < 0) throw new TypeError('a record stands in at most four lists')
    return lists.map((list, index) => (index === place ? entering : list)) as unknown as Lists
  }

  #placesOf(partition: PartitionRow, put: Put): Places {
    const lists: number[] = []
    for (const name of new Set(put.wideLists))
      lists.push(this.#names.list(partition.id, listKinds.wide, name).id)
    for (const name of new Set(put.lists)) {
      if (!put.wideLists?.includes(name)) lists.push(this.#names.list(partition.id, listKinds.list, name).id)
    }
    const [a = null, b = null, c = null, d = null] = lists
    return {
      dueAt: put.dueAt ?? null,
      queue: put.queue ? this.#names.list(partition.id, listKinds.queue, put.queue.name).id : null,
      score: put.queue?.score ?? null,
      lists: [a, b, c, d],
    }
  }

  #countQueues(before: Places, after: Places): void {
    if (before.queue === after.queue) return
    if (before.queue !== null) this.#names.deepen(before.queue, -1)
    if (after.queue !== null) this.#names.deepen(after.queue, 1)
  }

  #updateOf(columns: readonly string[]): StatementSync {
    const sets = columns.map((column) => `${column} = ?`).join(', ')
    const known = this.#updates.get(sets)
    if (known) return known
    const statement = this.#db.prepare(`UPDATE record SET ${sets} WHERE id = ?`)
    this.#updates.set(sets, statement)
    return statement
  }
}
