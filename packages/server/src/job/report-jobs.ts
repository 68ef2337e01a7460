// Applies what workers report about jobs of one room: several events of several jobs in one change. A report is
// answered for itself: one that is refused does not hold up the others.

import {
  type Deed,
  isRefusal,
  isTerminal,
  type Job,
  type JobEffect,
  type JobEvent,
  type JobEventOf,
  type JobId,
  type Refusal,
  refuse,
  transition,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { ErrorBook, type NotedErrors } from '../error/error-book.ts'
import { newId } from '../new-id.ts'
import type { Change, Put, Store } from '../ports/store.ts'
import type { ActiveJobs, KnownJob } from './active-jobs.ts'
import { announceJob } from './job-events.ts'
import { placesOf, runningCounter } from './job-places.ts'
import { isActive, jobKey, jobOfRecord, putJob } from './job-record.ts'

export interface JobReport {
  readonly job: JobId
  readonly events: readonly ReportedEvent[]
}

/** Assignments are the claim's: it counts what runs. Redrives and removals write more than the job. */
export type ReportedEvent = Exclude<JobEvent, JobEventOf<'assign' | 'redrive' | 'expire'>>

export type Reported = { readonly job: Job; readonly effects: readonly JobEffect[] } | Refusal

/** `deed`: for the audit trail, where a person decides. */
/** What is written down beside the jobs, in the same change. */
export interface ReportNotes {
  readonly errors?: ErrorBook
  readonly deed?: Deed | undefined
}

export async function reportJobs(
  store: Store,
  active: ActiveJobs,
  room: string,
  reports: readonly JobReport[],
  random: () => number,
  { errors = new ErrorBook(), deed }: ReportNotes = {},
): Promise<readonly Reported[]> {
  let known = await recallJobs(store, active, room, reports)
  for (let recalled = true; ; recalled = false) {
    const decided = decide(reports, known, store.now(), random)

    const mayAnswer = decided.allApplied || !recalled
    const notes = { errors, deed }
    const outcome = mayAnswer ? await commitChanges(store, room, decided.changed, notes) : 'stale'
    if (outcome === 'stale') {
      known = await readJobs(store, room, reports)
      refresh(active, room, reports, known)
      continue
    }

    for (const { job } of decided.changed) refreshOne(active, { job, version: outcome })
    return decided.answers
  }
}

/** The revision, or 0 where there was nothing to commit. */
async function commitChanges(
  store: Store,
  room: string,
  changed: readonly ChangedJob[],
  { errors, deed }: { readonly errors: ErrorBook; readonly deed: Deed | undefined },
): Promise<number | 'stale'> {
  if (changed.length === 0) return 0
  const seen = errors.note(room, changed, store.now())
  const change = changeOf(store, room, changed, seen)
  const outcome = await store.commit(recorded(change, deed, store.now()))
  if (outcome.outcome === 'committed') return outcome.revision
  seen?.takeBack()
  return 'stale'
}

interface ChangedJob {
  readonly before: KnownJob
  readonly job: Job
  /** JSON text that is too long to stand with the job. */
  readonly result: string | undefined
}

interface Decided {
  readonly answers: readonly Reported[]
  /** False when a report was refused or taken for already applied, which only a fresh read may say. */
  readonly allApplied: boolean
  readonly changed: readonly ChangedJob[]
}

function decide(
  reports: readonly JobReport[],
  known: ReadonlyMap<JobId, KnownJob>,
  now: number,
  random: () => number,
): Decided {
  // Two reports about one job build on each other, and are committed as one change of it.
  const changed = new Map<JobId, ChangedJob>()
  let applied = 0
  const answers = reports.map((report): Reported => {
    const before = known.get(report.job)
    if (!before) return refuse('job_not_found')
    const from = changed.get(report.job)?.job ?? before.job
    const answer = applyEvents(from, report.events, now, random)
    if (isRefusal(answer) || answer.job === from) return answer
    const result = longResult(answer.job, report.events) ?? changed.get(report.job)?.result
    changed.set(report.job, { before, job: answer.job, result })
    applied += 1
    return answer
  })
  return { answers, allApplied: applied === reports.length, changed: [...changed.values()] }
}

/** A short one stands with the job. */
function longResult({ status, result }: Job, events: readonly ReportedEvent[]): string | undefined {
  if (status !== 'completed' || result !== undefined) return undefined
  const last = events.at(-1)
  return last?.type === 'complete' ? last.result : undefined
}

function applyEvents(
  from: Job,
  events: readonly ReportedEvent[],
  now: number,
  random: () => number,
): Reported {
  let job = from
  const effects: JobEffect[] = []
  for (const event of events) {
    const answer = transition(job, event, now, random())
    if (isRefusal(answer)) return answer
    job = answer.next
    effects.push(...answer.effects)
  }
  return { job, effects }
}

function changeOf(
  store: Store,
  room: string,
  changed: readonly ChangedJob[],
  seen: NotedErrors | null,
): Change {
  // Jobs first, results after: neighbouring puts of one kind share what a store writes about them.
  const put: Put[] = []
  const results: Put[] = []
  const add: Record<string, number> = {}
  for (const { before, job, result } of changed) {
    put.push(putJob(job, before.version))
    if (result !== undefined) results.push({ key: `result/${job.submission.id}`, head: '', body: result })
    count(add, before.job, job)
  }
  return {
    id: newId(store.now()),
    partition: room,
    put: seen === null ? [...put, ...results] : [...put, ...results, ...seen.put],
    add,
    announce: changed.map(({ before, job }) => announceJob(before.job, job)),
    ...(seen !== null && seen.remove.length > 0 && { remove: seen.remove }),
  }
}

function count(add: Record<string, number>, before: Job, job: Job): void {
  const { submission, status } = job
  const by = (counter: string, amount: number): void => {
    add[counter] = (add[counter] ?? 0) + amount
  }
  const { open, running, ended } = placesOf(submission)
  if (isActive(before) && !isActive(job)) {
    by(runningCounter, -1)
    by(running, -1)
  }
  if (isTerminal(status) && !isTerminal(before.status)) {
    by(open, -1)
    by(ended[status], 1)
  }
}

/** From memory where it can be, which is enough to try; see ActiveJobs for what it is not enough for. */
async function recallJobs(
  store: Store,
  active: ActiveJobs,
  room: string,
  reports: readonly JobReport[],
): Promise<Map<JobId, KnownJob>> {
  const known = new Map<JobId, KnownJob>()
  const unknown: JobReport[] = []
  for (const report of reports) {
    const remembered = active.get(room, report.job)
    if (remembered) known.set(report.job, remembered)
    else unknown.push(report)
  }
  if (unknown.length === 0) return known
  for (const [id, read] of await readJobs(store, room, unknown)) known.set(id, read)
  return known
}

async function readJobs(
  store: Store,
  room: string,
  reports: readonly JobReport[],
): Promise<Map<JobId, KnownJob>> {
  const keys = [...new Set(reports.map(({ job }) => jobKey(job)))]
  const known = new Map<JobId, KnownJob>()
  for (const record of await store.read(room, keys)) {
    if (!record) continue
    const job = jobOfRecord(record)
    known.set(job.submission.id, { job, version: record.version })
  }
  return known
}

function refresh(
  active: ActiveJobs,
  room: string,
  reports: readonly JobReport[],
  known: ReadonlyMap<JobId, KnownJob>,
): void {
  for (const { job } of reports) {
    const read = known.get(job)
    if (read) refreshOne(active, read)
    else active.forget(room, job)
  }
}

/** Only a claim makes this replica remember a job: one that it happened to write about it may never hear of again. */
function refreshOne(active: ActiveJobs, known: KnownJob): void {
  const { room, id } = known.job.submission
  if (!active.get(room, id)) return
  if (isActive(known.job)) active.remember(known)
  else active.forget(room, id)
}
