// Commits and claims, and their answers, as flat arrays for the way between threads: cloning a tree of objects cost
// five times as much and was a third of a commit's time. Each encode has its decode beside it, in the same order.

import type { Change, Claim, Claimed, Committed, Put, Stale, StoredRecord } from '../../ports/store.ts'
import type { WriteRequest } from './thread-messages.ts'

export type Cell = string | number | null
type WriteAnswer = Committed | Stale | Claimed

class Cells {
  readonly #cells: readonly Cell[]
  #at = 0

  constructor(cells: readonly Cell[]) {
    this.#cells = cells
  }

  text(): string {
    return this.#cells[this.#at++] as string
  }

  number(): number {
    return this.#cells[this.#at++] as number
  }

  optional<Value extends string | number>(): Value | undefined {
    return (this.#cells[this.#at++] ?? undefined) as Value | undefined
  }

  many<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.number() }, read)
  }
}

export function encodeWrites(requests: readonly WriteRequest[]): Cell[] {
  const cells: Cell[] = [requests.length]
  for (const request of requests) {
    cells.push(request.op)
    if (request.op === 'commit') pushChange(cells, request.change)
    else pushClaim(cells, request.claim)
  }
  return cells
}

export function decodeWrites(flat: readonly Cell[]): WriteRequest[] {
  const cells = new Cells(flat)
  return cells.many(() =>
    cells.text() === 'commit'
      ? { op: 'commit', change: readChange(cells) }
      : { op: 'claim', claim: readClaim(cells) },
  )
}

function pushChange(cells: Cell[], change: Change): void {
  const { expect = {}, put = [], remove = [], add = {}, announce = [] } = change
  cells.push(change.id, change.partition)
  pushEntries(cells, expect)
  cells.push(put.length)
  for (const one of put) pushPut(cells, one)
  cells.push(remove.length, ...remove)
  pushEntries(cells, add)
  cells.push(announce.length)
  for (const { subject, event } of announce) cells.push(subject, event)
}

function readChange(cells: Cells): Change {
  return {
    id: cells.text(),
    partition: cells.text(),
    expect: readEntries(cells),
    put: cells.many(() => readPut(cells)),
    remove: cells.many(() => cells.text()),
    add: readEntries(cells),
    announce: cells.many(() => ({ subject: cells.text(), event: cells.text() })),
  }
}

function pushPut(cells: Cell[], put: Put): void {
  const { lists = [], wideLists = [], queue } = put
  cells.push(put.key, put.head, put.attempt ?? null, put.body ?? null, put.dueAt ?? null)
  cells.push(
    queue?.name ?? null,
    queue?.score ?? null,
    lists.length,
    ...lists,
    wideLists.length,
    ...wideLists,
  )
}

function readPut(cells: Cells): Put {
  const put = { key: cells.text(), head: cells.text() }
  const attempt = cells.optional<string>()
  const body = cells.optional<string>()
  const dueAt = cells.optional<number>()
  const name = cells.optional<string>()
  const score = cells.optional<number>()
  return {
    ...put,
    ...(attempt !== undefined && { attempt }),
    ...(body !== undefined && { body }),
    ...(dueAt !== undefined && { dueAt }),
    ...(name !== undefined && score !== undefined && { queue: { name, score } }),
    lists: cells.many(() => cells.text()),
    wideLists: cells.many(() => cells.text()),
  }
}

function pushClaim(cells: Cell[], claim: Claim): void {
  const { attempts, limits = [], add = {} } = claim
  cells.push(claim.id, claim.partition, claim.queue, claim.move.from, claim.move.to, attempts.length)
  for (const { attempt, dueAt, event } of attempts) cells.push(attempt, dueAt, event)
  cells.push(limits.length)
  for (const { counter, max } of limits) cells.push(counter, max)
  pushEntries(cells, add)
}

function readClaim(cells: Cells): Claim {
  return {
    id: cells.text(),
    partition: cells.text(),
    queue: cells.text(),
    move: { from: cells.text(), to: cells.text() },
    attempts: cells.many(() => ({ attempt: cells.text(), dueAt: cells.number(), event: cells.text() })),
    limits: cells.many(() => ({ counter: cells.text(), max: cells.number() })),
    add: readEntries(cells),
  }
}

function pushEntries(cells: Cell[], values: Readonly<Record<string, number>>): void {
  const entries = Object.entries(values)
  cells.push(entries.length)
  for (const [name, value] of entries) cells.push(name, value)
}

function readEntries(cells: Cells): Record<string, number> {
  return Object.fromEntries(cells.many(() => [cells.text(), cells.number()]))
}

export function encodeAnswers(answers: readonly WriteAnswer[]): Cell[] {
  const cells: Cell[] = [answers.length]
  for (const answer of answers) {
    if ('records' in answer) pushClaimed(cells, answer)
    else if (answer.outcome === 'stale') cells.push('stale', answer.key, answer.version)
    else cells.push('committed', answer.revision, answer.sequence)
  }
  return cells
}

export function decodeAnswers(flat: readonly Cell[]): WriteAnswer[] {
  const cells = new Cells(flat)
  return cells.many(() => {
    const outcome = cells.text() as 'stale' | 'committed' | 'claimed'
    switch (outcome) {
      case 'stale':
        return { outcome, key: cells.text(), version: cells.number() }
      case 'committed':
        return { outcome, revision: cells.number(), sequence: cells.number() }
      case 'claimed':
        return { records: cells.many(() => readRecord(cells)) }
    }
  })
}

function pushClaimed(cells: Cell[], { records }: Claimed): void {
  cells.push('claimed', records.length)
  for (const { partition, key, version, head, attempt, body } of records) {
    cells.push(partition, key, version, head, attempt, body)
  }
}

function readRecord(cells: Cells): StoredRecord {
  return {
    partition: cells.text(),
    key: cells.text(),
    version: cells.number(),
    head: cells.text(),
    attempt: cells.optional<string>() ?? null,
    body: cells.text(),
  }
}
