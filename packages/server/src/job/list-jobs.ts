// Pages of jobs, in one room or across rooms. The narrowest list that is kept is walked and the rest is filtered; a
// walk that finds little ends after a bound and says how far it looked, so that no page costs more than another.

import { type Job, type JobFilter, meetsFilter } from '@millrace/domain'
import { firstIdAt, instantOf } from '../new-id.ts'
import type { RecordKey, Store } from '../ports/store.ts'
import { deadLetterList, extensionList, type StatusList, statusLists, userList } from './job-places.ts'
import { jobOfRecord } from './job-record.ts'

export interface JobsQuery {
  /** Null: across the rooms of the store. */
  readonly room: string | null
  readonly filter: JobFilter
  readonly order: 'oldest' | 'newest'
  /** Created at or after, and before. */
  readonly since?: number
  readonly until?: number
  /** Where the page before ended. */
  readonly cursor?: string
  readonly limit: number
  /** Jobs of other rooms are passed over and leave no trace in the page. */
  readonly mayShow?: (room: string) => Promise<boolean>
  /** For a screen: the page may lag behind commits. */
  readonly mayLag?: true
}

export interface JobsPage {
  readonly jobs: readonly Job[]
  /** Absent: there is nothing further. */
  readonly cursor?: string
  /** How many jobs were looked at, matching or not. */
  readonly looked: number
}

/** A first look takes about as much as the page shows; where the filter finds little, the next ones take more. */
const spareRecords = 10
const recordsAtOnce = 200
export const lookAtMost: number = 5_000

export async function listJobs(store: Store, query: JobsQuery): Promise<JobsPage> {
  requireWhole(query)
  const lists = listsFor(query)
  const jobs: Job[] = []
  let bounds = boundsOf(query)
  let [looked, walked] = [0, 0]
  let atOnce = Math.min(recordsAtOnce, query.limit + spareRecords)
  for (let before: RecordKey | null = null; ; atOnce = recordsAtOnce) {
    const { room: partition, order, mayShow, mayLag } = query
    const lag = mayLag && { mayLag }
    const records = await store.list({ partition, lists, order, limit: atOnce, ...bounds, ...lag })
    for (const record of records) {
      const between = mayShow && before && walked >= lookAtMost ? keyBetween(before, record.key) : null
      if (between !== null) return { jobs, cursor: between, looked }
      before = record.key
      walked += 1
      const job = jobOfRecord(record)
      if (mayShow && !(await mayShow(job.submission.room))) continue
      looked += 1
      if (!meetsFilter(job, query.filter)) continue
      jobs.push(job)
      if (jobs.length === query.limit) return { jobs, cursor: record.key, looked }
    }
    const last = records.at(-1)
    if (!last || records.length < atOnce) return { jobs, looked }
    if (!mayShow && looked >= lookAtMost) return { jobs, cursor: last.key, looked }
    bounds = boundsOf({ ...query, cursor: last.key })
  }
}

/** Where a page ends that may end at a job nobody may know of: a time, which names none. Null: both have the same. */
function keyBetween(one: RecordKey, other: RecordKey): RecordKey | null {
  const [early, late] = [instantOfKey(one), instantOfKey(other)].sort((a, b) => a - b) as [number, number]
  return early === late ? null : (firstKeyAt(late) ?? null)
}

function instantOfKey(key: RecordKey): number {
  return instantOf(key.slice('job/'.length))
}

// The edge checks what users ask for; a page without an end, or an instant that is no key, is our own mistake.
function requireWhole({ limit, since = 0, until = 0 }: JobsQuery): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new TypeError(`a page of ${limit} jobs cannot be made`)
  for (const instant of [since, until]) {
    if (!Number.isSafeInteger(instant))
      throw new TypeError(`${instant} is not an instant in whole milliseconds`)
  }
}

/** User before extension before status: of those kept, the one that usually holds the fewest. */
function listsFor({ room, filter }: JobsQuery): readonly string[] {
  const { submitter, category, extension, statuses } = filter
  if (filter.deadLetters) return [deadLetterList]
  if (room !== null && submitter !== undefined) return [userList(submitter)]
  if (room !== null && category !== undefined && extension !== undefined)
    return [extensionList({ category, extension })]
  if (statuses === undefined) return statusLists
  const named = statuses.map(
    (status): StatusList => (status === 'assigned' || status === 'running' ? 'active' : status),
  )
  return [...new Set(named)]
}

interface Bounds {
  readonly after?: RecordKey
  readonly before?: RecordKey
}

function boundsOf({ order, since, until, cursor }: JobsQuery): Bounds {
  const after = order === 'oldest' && cursor !== undefined ? cursor : firstKeyAt(since)
  const before = order === 'newest' && cursor !== undefined ? cursor : firstKeyAt(until)
  return { ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
}

function firstKeyAt(instant: number | undefined): RecordKey | undefined {
  return instant === undefined ? undefined : `job/${firstIdAt(instant)}`
}
