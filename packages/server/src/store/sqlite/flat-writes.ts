// Commits and claims, and their answers, as flat arrays for the way between threads: cloning a tree of objects cost
// five times as much and was a third of a commit's time. Names that repeat from put to put are sent once, as a table.
// Each encode has its decode beside it, in the same order.

import type { Change, Claim, Claimed, Committed, Put, Stale, StoredRecord } from '../../ports/store.ts'
import { listKinds } from './schema.ts'

export type Cell = string | number | null
export type WriteAnswer = Committed | Stale | Claimed

export type WriteRequest =
  | { readonly op: 'commit'; readonly change: Change }
  | { readonly op: 'claim'; readonly claim: Claim }

/** A list or queue, as a kind and a name. */
export interface Place {
  readonly kind: number
  readonly name: string
}

/** A put whose lists and queue are numbers in the change's table of places; null where there is none. */
export interface FlatPut {
  readonly key: string
  readonly expect: number | null
  readonly head: string
  readonly attempt: string | null
  readonly body: string | null
  readonly dueAt: number | null
  readonly queue: number | null
  readonly score: number | null
  readonly a: number | null
  readonly b: number | null
  readonly c: number | null
  readonly d: number | null
}

export interface FlatChange {
  readonly op: 'commit'
  readonly id: string
  readonly partition: string
  readonly places: readonly Place[]
  readonly expect: readonly (readonly [key: string, version: number])[]
  readonly put: readonly FlatPut[]
  readonly remove: readonly string[]
  readonly add: readonly (readonly [name: string, delta: number])[]
  readonly announced: number
  /** As the log keeps them: keys by tab, events by line. */
  readonly subjects: string
  readonly events: string
}

export type FlatWrite = FlatChange | { readonly op: 'claim'; readonly claim: Claim }

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

  textOrNull(): string | null {
    return this.#cells[this.#at++] as string | null
  }

  numberOrNull(): number | null {
    return this.#cells[this.#at++] as number | null
  }

  many<Item>(read: () => Item): Item[] {
    const items: Item[] = []
    for (let left = this.number(); left > 0; left--) items.push(read())
    return items
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

export function decodeWrites(flat: readonly Cell[]): FlatWrite[] {
  const cells = new Cells(flat)
  return cells.many(() =>
    cells.text() === 'commit' ? readChange(cells) : { op: 'claim', claim: readClaim(cells) },
  )
}

class PlaceTable {
  readonly names: Cell[] = []
  readonly #known = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]

  number(kind: number, name: string): number {
    const ofKind = this.#known[kind] as Map<string, number>
    const known = ofKind.get(name)
    if (known !== undefined) return known
    const number = this.names.length / 2
    this.names.push(kind, name)
    ofKind.set(name, number)
    return number
  }
}

function pushChange(cells: Cell[], change: Change): void {
  const { expect = {}, put = [], remove = [], add = {}, announce = [] } = change
  const places = new PlaceTable()
  const puts: Cell[] = []
  for (const one of put) pushPut(puts, places, one)
  cells.push(change.id, change.partition, places.names.length / 2)
  pushAll(cells, places.names)
  pushEntries(cells, expect)
  cells.push(put.length)
  pushAll(cells, puts)
  cells.push(remove.length)
  pushAll(cells, remove)
  pushEntries(cells, add)
  cells.push(announce.length)
  cells.push(announce.map(({ subject }) => subject).join('\t'))
  cells.push(announce.map(({ event }) => event).join('\n'))
}

function readChange(cells: Cells): FlatChange {
  return {
    op: 'commit',
    id: cells.text(),
    partition: cells.text(),
    places: cells.many(() => ({ kind: cells.number(), name: cells.text() })),
    expect: readEntries(cells),
    put: cells.many(() => readPut(cells)),
    remove: cells.many(() => cells.text()),
    add: readEntries(cells),
    announced: cells.number(),
    subjects: cells.text(),
    events: cells.text(),
  }
}

function pushPut(cells: Cell[], places: PlaceTable, put: Put): void {
  const { lists = [], wideLists = [], queue } = put
  const numbers: number[] = []
  const stand = (number: number): void => {
    if (!numbers.includes(number)) numbers.push(number)
  }
  for (const name of wideLists) stand(places.number(listKinds.wide, name))
  for (const name of lists) if (!wideLists.includes(name)) stand(places.number(listKinds.list, name))
  const [a = null, b = null, c = null, d = null] = numbers
  cells.push(put.key, put.expect ?? null, put.head, put.attempt ?? null, put.body ?? null, put.dueAt ?? null)
  cells.push(queue ? places.number(listKinds.queue, queue.name) : null, queue?.score ?? null, a, b, c, d)
}

function readPut(cells: Cells): FlatPut {
  return {
    key: cells.text(),
    expect: cells.numberOrNull(),
    head: cells.text(),
    attempt: cells.textOrNull(),
    body: cells.textOrNull(),
    dueAt: cells.numberOrNull(),
    queue: cells.numberOrNull(),
    score: cells.numberOrNull(),
    a: cells.numberOrNull(),
    b: cells.numberOrNull(),
    c: cells.numberOrNull(),
    d: cells.numberOrNull(),
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
    add: Object.fromEntries(readEntries(cells)),
  }
}

// One by one: spread into a call, a hundred thousand of them overflow the stack.
function pushAll(cells: Cell[], more: readonly Cell[]): void {
  for (const cell of more) cells.push(cell)
}

function pushEntries(cells: Cell[], values: Readonly<Record<string, number>>): void {
  const entries = Object.entries(values)
  cells.push(entries.length)
  for (const [name, value] of entries) cells.push(name, value)
}

function readEntries(cells: Cells): [string, number][] {
  return cells.many(() => [cells.text(), cells.number()])
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
    attempt: cells.textOrNull(),
    body: cells.text(),
  }
}
