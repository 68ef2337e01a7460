// Answers reads from a connection of its own, so that a long page never makes a commit wait. It sees every answered
// commit, because an answer is given only after the transaction is in the log file that readers read.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { DueRecord, ListQuery, QueueDepth, StoredRecord } from '../../ports/store.ts'
import { compareNames, mergePages } from '../merge-pages.ts'
import { dueList, everywhere, listKinds } from './schema.ts'
import type { LogEnd, LogRow, ReadRequest } from './thread-messages.ts'

type RecordColumns = [key: string, version: number, head: string, attempt: string | null, body: string, partition: string]

const columns = 'r.key, r.version, r.head, r.attempt, b.body, p.name'
const joins = 'JOIN body b ON b.record = r.id JOIN partition p ON p.id = r.partition'

const statements = {
  record: `SELECT ${columns} FROM record r ${joins} WHERE r.partition = (SELECT id FROM partition WHERE name = ?) AND r.key = ?`,
  listInside:
    'SELECT l.id FROM list l JOIN partition p ON p.id = l.partition WHERE p.name = ? AND l.kind = ? AND l.name = ?',
  listEverywhere: `SELECT id FROM list WHERE partition = ${everywhere} AND kind = ? AND name = ?`,
  oldest: `SELECT ${columns} FROM entry e JOIN record r ON r.id = e.record ${joins}
    WHERE e.list = ? AND e.sort = 0 AND e.key > ? AND e.key < ? ORDER BY e.key LIMIT ?`,
  newest: `SELECT ${columns} FROM entry e JOIN record r ON r.id = e.record ${joins}
    WHERE e.list = ? AND e.sort = 0 AND e.key > ? AND e.key < ? ORDER BY e.key DESC LIMIT ?`,
  queuesInside: `SELECT p.name, l.name, l.depth, (SELECT sort FROM entry WHERE list = l.id ORDER BY sort, key LIMIT 1)
    FROM partition p JOIN list l ON l.partition = p.id
    WHERE p.name = ? AND l.kind = 1 AND l.depth > 0 ORDER BY l.name`,
  queues: `SELECT p.name, l.name, l.depth, (SELECT sort FROM entry WHERE list = l.id ORDER BY sort, key LIMIT 1)
    FROM list l JOIN partition p ON p.id = l.partition WHERE l.kind = 1 AND l.depth > 0`,
  counters:
    'SELECT name, value FROM counter WHERE partition = (SELECT id FROM partition WHERE name = ?) ORDER BY name',
  due: `SELECT sort, key FROM entry WHERE list = ${dueList} AND sort <= ? ORDER BY sort, key LIMIT ?`,
  logFirst: 'SELECT min(position) FROM log',
  logLast: "SELECT seq FROM sqlite_sequence WHERE name = 'log'",
  log: `SELECT l.position, p.name, l.revision, l.sequence, l.at, l.subjects, l.events
    FROM log l JOIN partition p ON p.id = l.partition WHERE l.position > ? ORDER BY l.position LIMIT ?`,
} as const

/** For the test that shows that none of them reads another room's rows. */
export const readStatements: Readonly<Record<string, string>> = statements

type Statements = { readonly [Name in keyof typeof statements]: StatementSync }

// Above every key: names hold no control characters but may hold any other, and this sorts last in UTF-8.
const highestKey = '\u{10ffff}\u{10ffff}'

export class Reader {
  readonly #statements: Statements

  constructor(db: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return statement
    }
    this.#statements = Object.fromEntries(
      Object.entries(statements).map(([name, sql]) => [name, prepare(sql)]),
    ) as Statements
  }

  answer(request: ReadRequest): unknown {
    switch (request.op) {
      case 'read':
        return request.keys.map((key) => this.#read(request.partition, key))
      case 'list':
        return this.#list(request.query)
      case 'queues':
        return this.#queues(request.partition)
      case 'counters':
        return Object.fromEntries(this.#all<[string, number]>('counters', request.partition))
      case 'due':
        return this.#due(request.now, request.limit)
      case 'logEnd':
        return this.#logEnd()
      case 'log':
        return this.#log(request.after, request.limit)
    }
  }

  #all<Row>(name: keyof Statements, ...values: (string | number)[]): Row[] {
    return this.#statements[name].all(...values) as unknown as Row[]
  }

  #read(partition: string, key: string): StoredRecord | null {
    const [row] = this.#all<RecordColumns>('record', partition, key)
    return row ? toRecord(row) : null
  }

  #list(query: ListQuery): StoredRecord[] {
    const pages = query.lists.flatMap((name) => {
      const [found] =
        query.partition === null
          ? this.#all<[number]>('listEverywhere', listKinds.list, name)
          : this.#all<[number]>('listInside', query.partition, listKinds.list, name)
      if (!found) return []
      // Entries kept across partitions are `key TAB partition`; bounds without the tab would let the bound in again.
      const after = query.after === undefined ? '' : query.partition === null ? `${query.after}\t${highestKey}` : query.after
      return this.#all<RecordColumns>(query.order, found[0], after, query.before ?? highestKey, query.limit).map(toRecord)
    })
    return mergePages(pages, query)
  }

  #queues(partition: string | undefined): QueueDepth[] {
    type Row = [partition: string, queue: string, pending: number, headScore: number]
    const rows = partition === undefined ? this.#all<Row>('queues') : this.#all<Row>('queuesInside', partition)
    const depths = rows.map(([room, queue, pending, headScore]) => ({ partition: room, queue, pending, headScore }))
    return depths.sort((a, b) => compareNames(a.partition, b.partition) || compareNames(a.queue, b.queue))
  }

  #due(now: number, limit: number): DueRecord[] {
    return this.#all<[number, string]>('due', now, limit).map(([dueAt, member]) => {
      const tab = member.indexOf('\t')
      return { partition: member.slice(0, tab), key: member.slice(tab + 1), dueAt }
    })
  }

  #logEnd(): LogEnd {
    const last = this.#all<[number]>('logLast')[0]?.[0] ?? 0
    const first = this.#all<[number | null]>('logFirst')[0]?.[0] ?? last + 1
    return { trimmedTo: first - 1, last }
  }

  #log(after: number, limit: number): LogRow[] {
    type Row = [number, string, number, number, number, string, string]
    return this.#all<Row>('log', after, limit).map(([position, partition, revision, sequence, at, subjects, events]) => ({
      position,
      partition,
      revision,
      sequence,
      at,
      subjects,
      events,
    }))
  }
}

function toRecord([key, version, head, attempt, body, partition]: RecordColumns): StoredRecord {
  return { partition, key, version, head, attempt, body }
}
