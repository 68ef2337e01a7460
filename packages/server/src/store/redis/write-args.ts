// Changes and claims as the flat arguments their scripts read; the order is written at the head of each script.

import type { Change, Claim, Put } from '../../ports/store.ts'
import { encodeScore } from '../change-shape.ts'

type Argument = string | number

// The same ages as the embedded store keeps: longer than a client hopes to catch up, or a caller to ask again.
const logKeptMs = 10 * 60_000
const answersKeptS = 15 * 60

export function commitArgs(change: Change): Argument[] {
  const expect = Object.entries(change.expect ?? {})
  const add = Object.entries(change.add ?? {})
  const put = change.put ?? []
  const remove = change.remove ?? []
  const announce = change.announce ?? []
  const args: Argument[] = [change.partition, change.id, logKeptMs, answersKeptS, expect.length]
  for (const [key, version] of expect) args.push(key, version)
  args.push(put.length)
  for (const one of put) pushPut(args, one)
  args.push(remove.length, ...remove, add.length)
  for (const [name, delta] of add) args.push(name, delta)
  args.push(
    announce.length,
    announce.map((one) => one.subject).join('\t'),
    announce.map((one) => one.event).join('\n'),
  )
  return args
}

export function claimArgs(claim: Claim): Argument[] {
  const limits = claim.limits ?? []
  const add = Object.entries(claim.add ?? {})
  const { partition, id, queue, move, attempts } = claim
  const args: Argument[] = [partition, id, logKeptMs, answersKeptS, queue, move.from, move.to, limits.length]
  for (const { counter, max } of limits) args.push(counter, max)
  args.push(add.length)
  for (const [name, delta] of add) args.push(name, delta)
  args.push(attempts.length)
  for (const { attempt, dueAt, event } of attempts) args.push(encodeAttempt(attempt), dueAt, event)
  return args
}

// The line of an attempt in a row: empty where there is none, so an attempt that is empty text needs a mark.
function encodeAttempt(attempt: string | undefined): string {
  return attempt === undefined ? '' : `+${attempt}`
}

export function decodeAttempt(line: string): string | null {
  return line === '' ? null : line.slice(1)
}

function pushPut(args: Argument[], put: Put): void {
  const { key, head, body, dueAt = '', queue } = put
  const attempt = encodeAttempt(put.attempt)
  const score = queue ? encodeScore(queue.score) : ''
  args.push(key, put.expect ?? '', dueAt, queue?.name ?? '', score, listNames(put), `${attempt}\n${head}`)
  args.push(body === undefined ? 0 : 1, body ?? '')
}

function listNames(put: Put): string {
  const names = new Set<string>()
  for (const name of put.wideLists ?? []) names.add(`*${name}`)
  for (const name of put.lists ?? []) if (!names.has(`*${name}`)) names.add(`-${name}`)
  return [...names].join('\t')
}
