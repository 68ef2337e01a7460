// Changes and claims as the flat arguments their scripts read, and claims as their script answers; the order is written
// at the head of each script.

import type { Change, Claim, PreparedAttempt, Put, StoredRecord } from '../../ports/store.ts'
import { encodeScore } from '../change-shape.ts'
import { writeLogText } from '../log-text.ts'
import { queueId } from './keys.ts'

export type Argument = string | number

// The same ages as the embedded store keeps: longer than a client hopes to catch up, or a caller to ask again.
export const logKeptMs: number = 10 * 60_000
export const answersKeptS: number = 15 * 60

export function commitArgs(change: Change): Argument[] {
  const expect = Object.entries(change.expect ?? {})
  const add = Object.entries(change.add ?? {})
  const remove = change.remove ?? []
  const announce = change.announce ?? []
  const args: Argument[] = [change.partition, change.id, logKeptMs, answersKeptS]
  args.push(
    announce.length,
    subjectsOf(change),
    writeLogText(announce.map(({ event }) => event)),
    expect.length,
  )
  for (const [key, version] of expect) args.push(key, version)
  pushPuts(args, change.put ?? [])
  args.push(remove.length, ...remove, add.length)
  for (const [name, delta] of add) args.push(name, delta)
  return args
}

export function claimArgs(claim: Claim): Argument[] {
  const limits = claim.limits ?? []
  const add = Object.entries(claim.add ?? {})
  const { partition, id, queue, move, attempts } = claim
  const args: Argument[] = [
    partition,
    id,
    logKeptMs,
    answersKeptS,
    queueId(queue),
    move.from,
    move.to,
    limits.length,
  ]
  for (const { counter, max } of limits) args.push(counter, max)
  args.push(add.length)
  for (const [name, delta] of add) args.push(name, delta)
  args.push(attempts.length)
  for (const { attempt } of attempts) args.push(encodeAttempt(attempt))
  const runs = runsOf(attempts, isDueTogether)
  args.push(runs.length)
  for (const run of runs) args.push(run[0].dueAt, run.length)
  args.push(writeLogText(attempts.map(({ event }) => event)))
  return args
}

/** The records of a claim's answer. */
export function claimedRecords({ partition, attempts }: Claim, reply: readonly string[]): StoredRecord[] {
  const [keys, versions = ''] = reply
  if (keys === undefined) return []
  const versionOf = versions.split('\t')
  const records: StoredRecord[] = []
  for (const [index, key] of keys.split('\t').entries()) {
    const version = Number(versionOf[index])
    const attempt = attempts[index]?.attempt ?? null
    const [head = '', body = ''] = [reply[2 * index + 2], reply[2 * index + 3]]
    if (version !== 0) records.push({ partition, key, version, head, attempt, body })
  }
  return records
}

// The line of an attempt in a row: empty where there is none, so an attempt that is empty text needs a mark.
export function encodeAttempt(attempt: string | undefined): string {
  return attempt === undefined ? '' : `+${attempt}`
}

export function decodeAttempt(line: string): string | null {
  return line === '' ? null : line.slice(1)
}

// Neighbours that go to the same places share their arguments: the puts of one change mostly do.
function pushPuts(args: Argument[], puts: readonly Put[]): void {
  const runs = runsOf(puts, isPutTogether)
  args.push(runs.length)
  for (const run of runs) {
    const { expect = '', dueAt = '', queue, body } = run[0]
    args.push(expect, dueAt, queue ? queueId(queue.name) : '', queue ? encodeScore(queue.score) : '')
    const isOneText = run.every(({ attempt, head }) => attempt === run[0].attempt && head === run[0].head)
    args.push(
      listNames(run[0]).join('\t'),
      queue?.name ?? '',
      body === undefined ? 0 : 1,
      isOneText ? 1 : 0,
      run.length,
    )
    for (const { key } of run) args.push(key)
    for (const put of isOneText ? [run[0]] : run) args.push(`${encodeAttempt(put.attempt)}\n${put.head}`)
    if (body !== undefined) pushBodies(args, run)
  }
}

/** Bodies that begin with the same line are sent without it, and the line once before them. */
function pushBodies(args: Argument[], run: Run<Put>): void {
  const front = firstLine(run[0].body ?? '')
  const isShared = run.every(({ body = '' }) => body.slice(0, front.length) === front)
  args.push(isShared ? front : '')
  for (const { body = '' } of run) args.push(isShared ? body.slice(front.length) : body)
}

/** With its end; empty where there is but one. */
function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n') + 1)
}

/** The keys that the events are about, by tab; empty where they are those of the puts. */
function subjectsOf({ put = [], announce = [] }: Change): string {
  const isOfPuts = put.length === announce.length && put.every(({ key }, at) => key === announce[at]?.subject)
  return isOfPuts ? '' : announce.map(({ subject }) => subject).join('\t')
}

type Run<Item> = [Item, ...Item[]]

function runsOf<Item>(items: readonly Item[], together: (a: Item, b: Item) => boolean): Run<Item>[] {
  const runs: Run<Item>[] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && together(run[0], item)) run.push(item)
    else runs.push([item])
  }
  return runs
}

function isDueTogether(a: PreparedAttempt, b: PreparedAttempt): boolean {
  return a.dueAt === b.dueAt
}

function isPutTogether(a: Put, b: Put): boolean {
  return (
    a.expect === b.expect &&
    a.dueAt === b.dueAt &&
    a.queue?.name === b.queue?.name &&
    a.queue?.score === b.queue?.score &&
    (a.body === undefined) === (b.body === undefined) &&
    isSame(a.wideLists, b.wideLists) &&
    isSame(a.lists, b.lists)
  )
}

function isSame(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

export function listNames(put: Put): readonly string[] {
  const names = new Set<string>()
  for (const name of put.wideLists ?? []) names.add(`*${name}`)
  for (const name of put.lists ?? []) if (!names.has(`*${name}`)) names.add(`-${name}`)
  return [...names]
}
