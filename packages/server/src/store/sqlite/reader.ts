// Answers reads from the tables, by a connection of its own, so that a long page never makes a commit wait. The tables
// may be behind: whoever must see every answered commit asks the writer, or asks it to settle first.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { DueRecord, ListQuery, QueueDepth, StoredRecord } from '../../ports/store.ts'
import { compareNames, mergePages } from '../merge-pages.ts'
import { compareDue } from './compare-due.ts'
import { bodyColumn, dueStatement } from './schema.ts'
import type { LogEnd, LogPage, LogRow, ReadRequest } from './thread-messages.ts'
import { widePage } from './wide-page.ts'

type RecordColumns = [
  key: string,
  version: number,
  head: string,
  attempt: string | null,
  body: string,
  partition: string,
]

const columns = `r.key, r.version, r.head, r.attempt, ${bodyColumn}, p.name`
const joins = 'JOIN partition p ON p.id = r.partition'

// Above every key: names hold no control characters but may hold any other, and this sorts last in UTF-8.
const highestKey = '\u{10ffff}\u{10ffff}'
const highestText = `'${highestKey}'`

const headScore = '(SELECT r.score FROM record r WHERE r.queue = l.id ORDER BY r.score, r.key LIMIT 1)'

// A list may stand in any of the four columns; each has its own index, and the pages of the four are merged.
function page(direction: 'ASC' | 'DESC', what: string): string {
  const ofColumn = (column: string): string =>
    `SELECT * FROM (SELECT ${what}
      WHERE r.${column} = ?1 AND r.key > ?2 AND r.key < ?3 ORDER BY r.key ${direction} LIMIT ?4)`
  return ['list_a', 'list_b', 'list_c', 'list_d'].map(ofColumn).join(' UNION ALL ')
}

// Of each room's list the first key of a page, and of the rooms only those whose first key is among the first so many:
// no other can have a record in the page. It is asked in one statement, for there may be thousands of rooms.
function heads(direction: 'ASC' | 'DESC'): string {
  const [first, nothing] = direction === 'ASC' ? ['min', highestText] : ['max', "''"]
  const ofColumn = (column: string): string =>
    `coalesce((SELECT r.key FROM record r WHERE r.${column} = l.id AND r.key > ?2 AND r.key < ?3
      ORDER BY r.key ${direction} LIMIT 1), ${nothing})`
  const head = ['list_a', 'list_b', 'list_c', 'list_d'].map(ofColumn).join(', ')
  // Materialized, or every key would be looked up once to be compared and once more to be sorted by.
  return `WITH first AS MATERIALIZED (SELECT l.id, p.name, ${first}(${head}) AS head
      FROM list l JOIN partition p ON p.id = l.partition WHERE l.kind = 1 AND l.name = ?1)
    SELECT id, name FROM first WHERE head <> ${nothing}
    ORDER BY head ${direction}, name ${direction} LIMIT ?4`
}

const statements = {
  record: `SELECT ${columns} FROM record r ${joins} WHERE r.partition = (SELECT id FROM partition WHERE name = ?) AND r.key = ?`,
  listsInside:
    'SELECT l.id FROM partition p JOIN list l ON l.partition = p.id WHERE p.name = ? AND l.kind IN (0, 1) AND l.name = ?',
  oldestHeads: heads('ASC'),
  newestHeads: heads('DESC'),
  oldest: page('ASC', `${columns} FROM record r ${joins}`),
  newest: page('DESC', `${columns} FROM record r ${joins}`),
  oldestKeys: page('ASC', 'r.key FROM record r'),
  newestKeys: page('DESC', 'r.key FROM record r'),
  queuesInside: `SELECT p.name, l.name, l.depth, ${headScore} FROM partition p JOIN list l ON l.partition = p.id
    WHERE p.name = ? AND l.kind = 2 AND l.depth > 0`,
  queues: `SELECT p.name, l.name, l.depth, ${headScore} FROM list l JOIN partition p ON p.id = l.partition
    WHERE l.kind = 2 AND l.depth > 0`,
  counters:
    'SELECT name, value FROM counter WHERE partition = (SELECT id FROM partition WHERE name = ?) ORDER BY name',
  due: dueStatement,
  logFirst: 'SELECT min(position) FROM log',
  logLast: "SELECT seq FROM sqlite_sequence WHERE name = 'log'",
  log: `SELECT l.position, p.name, l.revision, l.sequence, l.at, l.subjects, l.events
    FROM log l JOIN partition p ON p.id = l.partition WHERE l.position > ? ORDER BY l.position LIMIT ?`,
} as const

/** For the test that shows that none of them reads another room's rows. */
export const readStatements: Readonly<Record<string, string>> = statements

type Statements = { readonly [Name in keyof typeof statements]: StatementSync }

export class Reader {
  readonly #db: DatabaseSync
  readonly #statements: Statements

  constructor(db: DatabaseSync) {
    this.#db = db
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
        return this.#logPage(request.after, request.limit)
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
    const { partition, order, after = '', before = highestKey, limit } = query
    if (partition === null) return this.#wideList(query)
    const lists = query.lists.flatMap((name) => this.#all<[number]>('listsInside', partition, name))
    const pages = lists.map(([list]) =>
      this.#all<RecordColumns>(order, list, after, before, limit).map(toRecord),
    )
    return mergePages(pages.flat(), query)
  }

  /** Keys and records are read as of one moment. */
  #wideList({ lists, order, after = '', before = highestKey, limit }: ListQuery): StoredRecord[] {
    const keysOf = (list: number, last: string | null, count: number): string[] => {
      const [from, to] = order === 'oldest' ? [last ?? after, before] : [after, last ?? before]
      const keys = this.#all<[string]>(`${order}Keys`, list, from, to, count).map(([key]) => key)
      const direction = order === 'oldest' ? 1 : -1
      return keys.sort((a, b) => direction * compareNames(a, b)).slice(0, count)
    }
    this.#db.exec('BEGIN')
    try {
      const sources = lists.flatMap((name) =>
        this.#all<[number, string]>(`${order}Heads`, name, after, before, limit),
      )
      const page = widePage(
        sources.map(([list, partition]) => ({ partition, keys: keysOf.bind(null, list) })),
        order,
        limit,
      )
      return page.map(({ partition, key }) => this.#read(partition, key)).filter((record) => record !== null)
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  #queues(partition: string | undefined): QueueDepth[] {
    type Row = [partition: string, queue: string, pending: number, headScore: number]
    const rows =
      partition === undefined ? this.#all<Row>('queues') : this.#all<Row>('queuesInside', partition)
    const depths = rows.map(([room, queue, pending, headScore]) => ({
      partition: room,
      queue,
      pending,
      headScore,
    }))
    return depths.sort((a, b) => compareNames(a.partition, b.partition) || compareNames(a.queue, b.queue))
  }

  #due(now: number, limit: number): DueRecord[] {
    return this.#all<[number, string, string]>('due', now, limit)
      .map(([dueAt, partition, key]) => ({ dueAt, partition, key }))
      .sort(compareDue)
  }

  #logEnd(): LogEnd {
    const last = this.#all<[number]>('logLast')[0]?.[0] ?? 0
    const first = this.#all<[number | null]>('logFirst')[0]?.[0] ?? last + 1
    return { trimmedTo: first - 1, last }
  }

  // The end is read after the rows: a trim between the two is then reported without need, never missed.
  #logPage(after: number, limit: number): LogPage {
    const rows = this.#log(after, limit)
    return { rows, ...this.#logEnd() }
  }

  #log(after: number, limit: number): LogRow[] {
    type Row = [number, string, number, number, number, string, string]
    return this.#all<Row>('log', after, limit).map(
      ([position, partition, revision, sequence, at, subjects, events]) => ({
        position,
        partition,
        revision,
        sequence,
        at,
        subjects,
        events,
      }),
    )
  }
}

function toRecord([key, version, head, attempt, body, partition]: RecordColumns): StoredRecord {
  return { partition, key, version, head, attempt, body }
}
