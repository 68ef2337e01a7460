// Applies what workers report about jobs of one room: several events of several jobs in one change. A report is
// answered for itself: one that is refused does not hold up the others.

import {
  isRefusal,
  type Job,
  type JobEffect,
  type JobEvent,
  type JobId,
  queueOf,
  type Refusal,
  refuse,
  transition,
} from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Change, Put, Store } from '../ports/store.ts'
import type { ActiveJobs, KnownJob } from './active-jobs.ts'
import {
  announceJob,
  isActive,
  jobKey,
  jobOfRecord,
  putJob,
  runningCounter,
  runningOfQueue,
} from './job-record.ts'

export interface JobReport {
  readonly job: JobId
  readonly events: readonly JobEvent[]
  /** JSON text; kept when the job completes. */
  readonly result?: string
}

export type Reported = { readonly job: Job; readonly effects: readonly JobEffect[] } | Refusal

export async function reportJobs(
  store: Store,
  active: ActiveJobs,
  room: string,
  reports: readonly JobReport[],
  random: () => number,
): Promise<readonly Reported[]> {
  let known = await readJobs(store, active, room, reports)
  for (;;) {
    const decided = decide(reports, known, store.now(), random)

    const outcome =
      decided.changed.length === 0 ? null : await store.commit(changeOf(store, room, decided.changed))
    if (outcome?.outcome === 'stale') {
      known = await readJobs(store, null, room, reports)
      continue
    }

    for (const { job } of decided.changed) remember(active, job, outcome?.revision ?? 0)
    return decided.answers
  }
}

interface ChangedJob {
  readonly before: KnownJob
  readonly job: Job
  readonly result?: string
}

interface Decided {
  readonly answers: readonly Reported[]
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
  const answers = reports.map((report): Reported => {
    const before = known.get(report.job)
    if (!before) return refuse('job_not_found')
    const from = changed.get(report.job)?.job ?? before.job
    const answer = applyEvents(from, report.events, now, random)
    if (isRefusal(answer) || answer.job === from) return answer
    const keepsResult = answer.job.status === 'completed' && report.result !== undefined
    changed.set(report.job, { before, job: answer.job, ...(keepsResult && { result: report.result }) })
    return answer
  })
  return { answers, changed: [...changed.values()] }
}

function applyEvents(from: Job, events: readonly JobEvent[], now: number, random: () => number): Reported {
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

function changeOf(store: Store, room: string, changed: readonly ChangedJob[]): Change {
  const put: Put[] = []
  const add: Record<string, number> = {}
  for (const { before, job, result } of changed) {
    put.push(putJob(job, before.version))
    if (result !== undefined) put.push({ key: `result/${job.submission.id}`, head: '', body: result })
    if (isActive(before.job) && !isActive(job)) {
      const ofQueue = runningOfQueue(queueOf(job.submission))
      add[runningCounter] = (add[runningCounter] ?? 0) - 1
      add[ofQueue] = (add[ofQueue] ?? 0) - 1
    }
  }
  return {
    id: newId(store.now()),
    partition: room,
    put,
    add,
    announce: changed.map(({ job }) => announceJob(job)),
  }
}

async function readJobs(
  store: Store,
  active: ActiveJobs | null,
  room: string,
  reports: readonly JobReport[],
): Promise<Map<JobId, KnownJob>> {
  const known = new Map<JobId, KnownJob>()
  const unknown: JobId[] = []
  for (const { job } of reports) {
    const found = active?.get(job)
    if (found) known.set(job, found)
    else unknown.push(job)
  }
  if (unknown.length === 0) return known
  for (const record of await store.read(room, unknown.map(jobKey))) {
    if (record)
      known.set(record.key.slice('job/'.length) as JobId, {
        job: jobOfRecord(record),
        version: record.version,
      })
  }
  return known
}

function remember(active: ActiveJobs, job: Job, version: number): void {
  if (isActive(job)) active.remember(job, version)
  else active.forget(job.submission.id)
}
