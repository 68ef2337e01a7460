// Errors that are alike as one, over the rooms that somebody may see: what each replica counted in each room, added up.

import { type Caller, errorKind, type Job, mayRead } from '@millrace/domain'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'
import type { Rooms } from '../room/rooms.ts'
import { type ErrorTally, errorBounds, errorList, errorOfRecord } from './error-record.ts'

export interface ErrorsQuery {
  /** One that the caller may read; null: all of those. */
  readonly room: string | null
  readonly fingerprint?: string
  readonly category?: string
  readonly extension?: string
  readonly since?: number
  readonly limit: number
}

export interface SeenError extends Omit<ErrorTally, 'job' | 'message'> {
  readonly rooms: readonly { readonly room: string; readonly count: number }[]
  readonly example: { readonly room: string; readonly job: string; readonly message: string }
}

export interface ErrorsPage {
  readonly errors: readonly SeenError[]
  /** Whether there are more records than one answer looks at. */
  readonly more: boolean
}

export interface SeenInRoom {
  readonly fingerprint: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

const recordsAtOnce = 500
const lookAtMost = 5_000

export async function listErrors(
  { store, rooms }: { readonly store: Store; readonly rooms: Rooms },
  who: Caller,
  query: ErrorsQuery,
): Promise<ErrorsPage> {
  const { records, more } = await recordsOf(store, query.room, query.fingerprint)
  const groups = new Map<string, SeenError>()
  for (const record of records) {
    const known = await rooms.get(record.partition)
    if (!known || !mayRead(known.value, who)) continue
    const tally = errorOfRecord(record)
    if (!meets(tally, query)) continue
    const before = groups.get(tally.fingerprint)
    const seen = seenIn(record.partition, tally)
    groups.set(tally.fingerprint, before ? merge(before, seen) : seen)
  }
  const errors = [...groups.values()].sort((a, b) => b.lastAt - a.lastAt)
  return { errors: errors.slice(0, query.limit), more: more || errors.length > query.limit }
}

/** How often the error of this job, or one like it, was seen in its room; null for a job without one. */
export async function seenInRoom(store: Store, { submission, error }: Job): Promise<SeenInRoom | null> {
  if (!error) return null
  const { fingerprint } = errorKind(submission, error)
  const { records } = await recordsOf(store, submission.room, fingerprint)
  const [first, ...others] = records.map(errorOfRecord).map((tally) => seenIn(submission.room, tally))
  if (!first) return null
  const { count, firstAt, lastAt } = others.reduce(merge, first)
  return { fingerprint, count, firstAt, lastAt }
}

async function recordsOf(
  store: Store,
  partition: string | null,
  fingerprint: string | undefined,
): Promise<{ readonly records: readonly StoredRecord[]; readonly more: boolean }> {
  const bounds = fingerprint === undefined ? {} : errorBounds(fingerprint)
  const records: StoredRecord[] = []
  for (let last: RecordKey | undefined; records.length < lookAtMost; ) {
    const page = await store.list({
      partition,
      lists: [errorList],
      order: 'oldest',
      limit: recordsAtOnce,
      ...bounds,
      ...(last !== undefined && { after: last }),
    })
    records.push(...page)
    last = page.at(-1)?.key
    if (page.length < recordsAtOnce) return { records, more: false }
  }
  return { records, more: true }
}

function meets(tally: ErrorTally, { category, extension, since }: ErrorsQuery): boolean {
  return (
    (category === undefined || tally.category === category) &&
    (extension === undefined || tally.extension === extension) &&
    (since === undefined || tally.lastAt >= since)
  )
}

function seenIn(room: string, { job, message, ...tally }: ErrorTally): SeenError {
  return { ...tally, rooms: [{ room, count: tally.count }], example: { room, job, message } }
}

function merge(one: SeenError, other: SeenError): SeenError {
  const latest = other.lastAt > one.lastAt ? other : one
  const counts = new Map(one.rooms.map(({ room, count }) => [room, count]))
  for (const { room, count } of other.rooms) counts.set(room, (counts.get(room) ?? 0) + count)
  return {
    ...latest,
    count: one.count + other.count,
    firstAt: Math.min(one.firstAt, other.firstAt),
    rooms: [...counts].map(([room, count]) => ({ room, count })),
  }
}
