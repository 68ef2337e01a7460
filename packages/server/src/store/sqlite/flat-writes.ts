// Commits and claims, and their answers, as packets for the way between threads and for the journal. Names that repeat
// from put to put are sent once, as a table. Each encode has its decode beside it, in the same order.

import type { Change, Claim, Claimed, Committed, Put, Stale, StoredRecord } from '../../ports/store.ts'
import { writeLogText } from '../log-text.ts'
import type { Logged } from './log-tail.ts'
import { type Packet, PacketReader, PacketWriter } from './packet.ts'
import { listKinds } from './schema.ts'

export type WriteAnswer = Committed | Stale | Claimed

/** An answer, and where in the log what it tells of came to stand. */
export interface Written<Answer> {
  readonly answer: Answer
  readonly logged: Logged | null
}

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

const ops = { commit: 0, claim: 1 } as const
const outcomes = { committed: 0, stale: 1, claimed: 2 } as const

export function encodeWrite(request: WriteRequest): Packet {
  const packet = new PacketWriter()
  packet.number(ops[request.op])
  if (request.op === 'commit') writeChange(packet, request.change)
  else writeClaim(packet, request.claim)
  return packet.finish()
}

export function decodeWrite(packet: Packet): FlatWrite {
  const reader = new PacketReader(packet)
  return reader.number() === ops.commit ? readChange(reader) : { op: 'claim', claim: readClaim(reader) }
}

/** The places a change names, numbered in the order in which they are first met. */
class PlaceTable {
  readonly places: Place[] = []
  readonly #known = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  #lists: Put['lists']
  #wideLists: Put['wideLists']
  #numbers: readonly number[] = []

  /** Of the lists of a put. Neighbours often share their arrays, which need not be looked up again. */
  lists({ lists, wideLists }: Put): readonly number[] {
    if (lists !== this.#lists || wideLists !== this.#wideLists) {
      this.#lists = lists
      this.#wideLists = wideLists
      this.#numbers = this.#numbersOf(lists, wideLists)
    }
    return this.#numbers
  }

  #numbersOf(lists: readonly string[] = [], wideLists: readonly string[] = []): readonly number[] {
    const numbers = new Set<number>()
    for (const name of wideLists) numbers.add(this.number(listKinds.wide, name))
    for (const name of lists) if (!wideLists.includes(name)) numbers.add(this.number(listKinds.list, name))
    return [...numbers]
  }

  number(kind: number, name: string): number {
    const ofKind = this.#known[kind] as Map<string, number>
    const known = ofKind.get(name)
    if (known !== undefined) return known
    const number = this.places.push({ kind, name }) - 1
    ofKind.set(name, number)
    return number
  }
}

function writeChange(packet: PacketWriter, change: Change): void {
  const { expect = {}, put = [], remove = [], add = {}, announce = [] } = change
  packet.text(change.id)
  packet.text(change.partition)
  writeEntries(packet, expect)
  const places = new PlaceTable()
  packet.number(put.length)
  for (const one of put) writePut(packet, places, one)
  packet.number(places.places.length)
  for (const { kind, name } of places.places) {
    packet.number(kind)
    packet.text(name)
  }
  packet.number(remove.length)
  for (const key of remove) packet.text(key)
  writeEntries(packet, add)
  packet.number(announce.length)
  packet.text(announce.map(({ subject }) => subject).join('\t'))
  packet.text(writeLogText(announce.map(({ event }) => event)))
}

function readChange(packet: PacketReader): FlatChange {
  return {
    op: 'commit',
    id: packet.text(),
    partition: packet.text(),
    expect: readEntries(packet),
    put: packet.many(() => readPut(packet)),
    places: packet.many(() => ({ kind: packet.number(), name: packet.text() })),
    remove: packet.many(() => packet.text()),
    add: readEntries(packet),
    announced: packet.number(),
    subjects: packet.text(),
    events: packet.text(),
  }
}

function writePut(packet: PacketWriter, places: PlaceTable, put: Put): void {
  const { queue } = put
  const numbers = places.lists(put)
  packet.text(put.key)
  packet.numberOrNull(put.expect)
  packet.text(put.head)
  packet.textOrNull(put.attempt)
  packet.textOrNull(put.body)
  packet.numberOrNull(put.dueAt)
  packet.numberOrNull(queue && places.number(listKinds.queue, queue.name))
  packet.numberOrNull(queue?.score)
  for (let index = 0; index < 4; index++) packet.numberOrNull(numbers[index])
}

function readPut(packet: PacketReader): FlatPut {
  return {
    key: packet.text(),
    expect: packet.numberOrNull(),
    head: packet.text(),
    attempt: packet.textOrNull(),
    body: packet.textOrNull(),
    dueAt: packet.numberOrNull(),
    queue: packet.numberOrNull(),
    score: packet.numberOrNull(),
    a: packet.numberOrNull(),
    b: packet.numberOrNull(),
    c: packet.numberOrNull(),
    d: packet.numberOrNull(),
  }
}

function writeClaim(packet: PacketWriter, claim: Claim): void {
  const { attempts, limits = [], add = {} } = claim
  for (const text of [claim.id, claim.partition, claim.queue, claim.move.from, claim.move.to])
    packet.text(text)
  packet.number(attempts.length)
  for (const { attempt, dueAt, event } of attempts) {
    packet.text(attempt)
    packet.number(dueAt)
    packet.text(event)
  }
  packet.number(limits.length)
  for (const { counter, max } of limits) {
    packet.text(counter)
    packet.number(max)
  }
  writeEntries(packet, add)
}

function readClaim(packet: PacketReader): Claim {
  return {
    id: packet.text(),
    partition: packet.text(),
    queue: packet.text(),
    move: { from: packet.text(), to: packet.text() },
    attempts: packet.many(() => ({ attempt: packet.text(), dueAt: packet.number(), event: packet.text() })),
    limits: packet.many(() => ({ counter: packet.text(), max: packet.number() })),
    add: Object.fromEntries(readEntries(packet)),
  }
}

function writeEntries(packet: PacketWriter, values: Readonly<Record<string, number>>): void {
  const entries = Object.entries(values)
  packet.number(entries.length)
  for (const [name, value] of entries) {
    packet.text(name)
    packet.number(value)
  }
}

function readEntries(packet: PacketReader): [string, number][] {
  return packet.many(() => [packet.text(), packet.number()])
}

export function encodeAnswer(answer: WriteAnswer, logged: Logged | null): Packet {
  const packet = new PacketWriter()
  writeLogged(packet, logged)
  if ('records' in answer) {
    packet.number(outcomes.claimed)
    packet.number(answer.records.length)
    for (const record of answer.records) writeRecord(packet, record)
  } else if (answer.outcome === 'stale') {
    packet.number(outcomes.stale)
    packet.text(answer.key)
    packet.number(answer.version)
  } else {
    packet.number(outcomes.committed)
    packet.number(answer.revision)
    packet.number(answer.sequence)
  }
  return packet.finish()
}

export function decodeCommitted(flat: Packet): Written<Committed | Stale> {
  const packet = new PacketReader(flat)
  const logged = readLogged(packet)
  const outcome = packet.number()
  const answer: Committed | Stale =
    outcome === outcomes.stale
      ? { outcome: 'stale', key: packet.text(), version: packet.number() }
      : { outcome: 'committed', revision: packet.number(), sequence: packet.number() }
  return { answer, logged }
}

export function decodeClaimed(flat: Packet, partition: string): Written<Claimed> {
  const packet = new PacketReader(flat)
  const logged = readLogged(packet)
  packet.number()
  return { answer: { records: packet.many(() => readRecord(packet, partition)) }, logged }
}

function writeLogged(packet: PacketWriter, logged: Logged | null): void {
  packet.numberOrNull(logged?.position)
  if (logged === null) return
  packet.number(logged.at)
  packet.number(logged.revision)
  packet.number(logged.sequence)
}

function readLogged(packet: PacketReader): Logged | null {
  const position = packet.numberOrNull()
  if (position === null) return null
  return { position, at: packet.number(), revision: packet.number(), sequence: packet.number() }
}

function writeRecord(packet: PacketWriter, { key, version, head, attempt, body }: StoredRecord): void {
  packet.text(key)
  packet.number(version)
  packet.text(head)
  packet.textOrNull(attempt)
  packet.text(body)
}

function readRecord(packet: PacketReader, partition: string): StoredRecord {
  return {
    partition,
    key: packet.text(),
    version: packet.number(),
    head: packet.text(),
    attempt: packet.textOrNull(),
    body: packet.text(),
  }
}
