// One record with everything that hangs on it: its body and its entries in lists, queue and due list. Whoever changes
// a record goes through here, so that no entry outlives or precedes its record.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Put } from '../../ports/store.ts'
import type { ListRow, Names, PartitionRow } from './names.ts'
import { dueList, everywhere, listKinds } from './schema.ts'

export interface RecordRow {
  readonly id: number
  readonly version: number
  readonly dueAt: number | null
  readonly queue: string | null
  readonly score: number | null
  /** Tab-separated list ids; those kept across partitions carry a leading `*`. */
  readonly lists: string
}

export class RecordTable {
  readonly #names: Names
  readonly #find: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #delete: StatementSync
  readonly #saveBody: StatementSync
  readonly #deleteBody: StatementSync
  readonly #enter: StatementSync
  readonly #leave: StatementSync

  constructor(db: DatabaseSync, names: Names) {
    this.#names = names
    this.#find = db.prepare(
      `SELECT r.id, r.version, r.due_at, q.name, r.score, r.lists
       FROM record r LEFT JOIN list q ON q.id = r.queue WHERE r.partition = ? AND r.key = ?`,
    )
    this.#find.setReturnArrays(true)
    this.#insert = db.prepare(
      `INSERT INTO record (partition, key, version, due_at, queue, score, lists, attempt, head)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#update = db.prepare(
      'UPDATE record SET version = ?, due_at = ?, queue = ?, score = ?, lists = ?, attempt = ?, head = ? WHERE id = ?',
    )
    this.#delete = db.prepare('DELETE FROM record WHERE id = ?')
    this.#saveBody = db.prepare('INSERT OR REPLACE INTO body (record, body) VALUES (?, ?)')
    this.#deleteBody = db.prepare('DELETE FROM body WHERE record = ?')
    this.#enter = db.prepare('INSERT INTO entry (list, sort, key, record) VALUES (?, ?, ?, ?)')
    this.#leave = db.prepare('DELETE FROM entry WHERE list = ? AND sort = ? AND key = ?')
  }

  find(partition: PartitionRow | null, key: string): RecordRow | null {
    if (!partition) return null
    const row = this.#find.get(partition.id, key) as unknown as
      | [number, number, number | null, string | null, number | null, string]
      | undefined
    if (!row) return null
    const [id, version, dueAt, queue, score, lists] = row
    return { id, version, dueAt, queue, score, lists }
  }

  put(partition: PartitionRow, before: RecordRow | null, put: Put): void {
    const queue = put.queue ? this.#names.list(partition.id, listKinds.queue, put.queue.name) : null
    const score = put.queue?.score ?? null
    const lists = this.#listIds(partition, put)
    const dueAt = put.dueAt ?? null
    const id = before
      ? this.#replace(partition, before, put, lists, queue, score, dueAt)
      : this.#add(partition, put, lists, queue, score, dueAt)
    this.moveLists(partition, put.key, id, before?.lists ?? '', lists)
    this.moveDue(partition, put.key, id, before?.dueAt ?? null, dueAt)
    this.#moveQueue(partition, put.key, id, before, queue, put.queue)
  }

  remove(partition: PartitionRow, before: RecordRow, key: string): void {
    this.moveLists(partition, key, before.id, before.lists, '')
    this.moveDue(partition, key, before.id, before.dueAt, null)
    this.#moveQueue(partition, key, before.id, before, null, undefined)
    this.#deleteBody.run(before.id)
    this.#delete.run(before.id)
  }

  moveLists(partition: PartitionRow, key: string, id: number, before: string, after: string): void {
    if (before === after) return
    const old = before === '' ? [] : before.split('\t')
    const wanted = after === '' ? [] : after.split('\t')
    for (const list of old) {
      if (!wanted.includes(list)) this.#leave.run(listId(list), 0, memberKey(partition, key, list))
    }
    for (const list of wanted) {
      if (!old.includes(list)) this.#enter.run(listId(list), 0, memberKey(partition, key, list), id)
    }
  }

  moveDue(partition: PartitionRow, key: string, id: number, before: number | null, after: number | null): void {
    if (before === after) return
    const member = `${partition.name}\t${key}`
    if (before !== null) this.#leave.run(dueList, before, member)
    if (after !== null) this.#enter.run(dueList, after, member, id)
  }

  /** The `lists` text after leaving one wide list for another. */
  swapWideList(partition: PartitionRow, lists: string, from: string, to: string): string {
    const leaving = this.#wideListPair(partition, from)
    const entering = this.#wideListPair(partition, to)
    const rest = lists.split('\t').filter((list) => list !== '' && !leaving.includes(list) && !entering.includes(list))
    return [...entering, ...rest].join('\t')
  }

  #listIds(partition: PartitionRow, put: Put): string {
    const ids: string[] = []
    for (const name of new Set(put.wideLists)) ids.push(...this.#wideListPair(partition, name))
    for (const name of new Set(put.lists)) {
      if (put.wideLists?.includes(name)) continue
      ids.push(String(this.#names.list(partition.id, listKinds.list, name).id))
    }
    return ids.join('\t')
  }

  // A wide list is two: one of its partition and one across partitions.
  #wideListPair(partition: PartitionRow, name: string): [string, string] {
    const here = this.#names.list(partition.id, listKinds.list, name).id
    return [`${here}`, `*${this.#names.list(everywhere, listKinds.list, name).id}`]
  }

  #add(
    partition: PartitionRow,
    put: Put,
    lists: string,
    queue: ListRow | null,
    score: number | null,
    dueAt: number | null,
  ): number {
    const attempt = put.attempt ?? null
    const { lastInsertRowid } = this.#insert.run(
      partition.id,
      put.key,
      partition.revision,
      dueAt,
      queue?.id ?? null,
      score,
      lists,
      attempt,
      put.head,
    )
    const id = Number(lastInsertRowid)
    this.#saveBody.run(id, put.body ?? '')
    return id
  }

  #replace(
    partition: PartitionRow,
    before: RecordRow,
    put: Put,
    lists: string,
    queue: ListRow | null,
    score: number | null,
    dueAt: number | null,
  ): number {
    const attempt = put.attempt ?? null
    this.#update.run(partition.revision, dueAt, queue?.id ?? null, score, lists, attempt, put.head, before.id)
    if (put.body !== undefined) this.#saveBody.run(before.id, put.body)
    return before.id
  }

  #moveQueue(
    partition: PartitionRow,
    key: string,
    id: number,
    before: RecordRow | null,
    queue: ListRow | null,
    wanted: Put['queue'],
  ): void {
    if (before?.queue === wanted?.name && before?.score === wanted?.score) return
    if (before?.queue != null && before.score !== null) {
      const old = this.#names.list(partition.id, listKinds.queue, before.queue)
      this.#leave.run(old.id, before.score, key)
      this.#names.deepen(old, -1)
    }
    if (queue && wanted) {
      this.#enter.run(queue.id, wanted.score, key, id)
      this.#names.deepen(queue, 1)
    }
  }
}

// A key is unique in its partition only, so entries kept across partitions name theirs as well.
function memberKey(partition: PartitionRow, key: string, list: string): string {
  return list.startsWith('*') ? `${key}\t${partition.name}` : key
}

function listId(list: string): number {
  return Number(list.startsWith('*') ? list.slice(1) : list)
}
