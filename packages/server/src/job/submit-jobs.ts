// Submits jobs to one room, all or nothing. What they name is already resolved and validated by the caller. Those for
// which slots are free and nobody waits are committed as assigned, the others as waiting in their queue.

import {
  idempotencyDecision,
  isRefusal,
  type Job,
  type JobId,
  type Refusal,
  refuse,
  type Submission,
  score,
  submit,
} from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Announcement, Change, Committed, Put, RecordKey, Stale, Store } from '../ports/store.ts'
import type { KnownJob } from './active-jobs.ts'
import { assignFirst } from './assign-first.ts'
import { announceJob, announceNewJob } from './job-events.ts'
import { placesOf, runningCounter } from './job-places.ts'
import { isActive, jobKey, jobOfRecord, putNewJob } from './job-record.ts'
import type { ReservedSlots, ReserveSlots } from './reserved-slots.ts'
import { encodeSubmission } from './submission-text.ts'

export interface Submitted {
  readonly id: JobId
  /** False: it was submitted before, under this id or with the same key and body. */
  readonly created: boolean
}

/** Versions of records of the room on which the caller's decisions rest, such as the extension's. */
export type RestsOn = Readonly<Record<RecordKey, number>>

export interface SubmitOptions {
  readonly resting?: RestsOn
  /** Further records of the room that are written in the same change. */
  readonly beside?: readonly Put[]
  readonly reserve?: ReserveSlots
  /** Told of the jobs that are new, as they were committed. */
  readonly onCommitted?: (jobs: readonly Job[]) => void
}

/** Refused with `submission_overtaken` when what it rests on has changed: the caller reads and validates again. */
export async function submitJobs(
  store: Store,
  room: string,
  submissions: readonly Submission[],
  options: SubmitOptions = {},
): Promise<readonly Submitted[] | Refusal> {
  requireRoom(room, submissions)
  for (let firstTry = true; ; firstTry = false) {
    // New ids are new: whether they exist is looked up only when the commit says that something does.
    const earlier = await findEarlier(store, room, submissions, firstTry ? [] : submissions)

    const decided = decide(submissions, earlier)
    if (isRefusal(decided)) return decided

    if (decided.jobs.length > 0) {
      const outcome = await commitJobs(store, room, decided.jobs, earlier, options)
      if (outcome.outcome === 'stale') {
        if (Object.hasOwn(options.resting ?? {}, outcome.key)) return refuse('submission_overtaken')
        continue
      }
    }

    return decided.submitted
  }
}

/** All that a key is known by: whose it is, and the request it came with. */
export type Keyed = Pick<Submission, 'submitter' | 'idempotency'>

/** The jobs that these keys made, if each of them made one; null if some key is new. */
export async function submittedBefore(
  store: Store,
  room: string,
  keyed: readonly Keyed[],
): Promise<readonly Submitted[] | Refusal | null> {
  const { byKey } = await findEarlier(store, room, keyed, [])
  const submitted: Submitted[] = []
  for (const one of keyed) {
    const existing = jobOfKey(one, byKey)
    if (existing === null || isRefusal(existing)) return existing
    submitted.push({ id: existing, created: false })
  }
  return submitted
}

/** What stands in the store already under the ids and keys of a bulk. */
interface Earlier {
  readonly byId: ReadonlyMap<JobId, Submission>
  readonly byKey: ReadonlyMap<RecordKey, Submission>
  readonly keyVersions: ReadonlyMap<RecordKey, number>
}

interface Decided {
  readonly submitted: readonly Submitted[]
  readonly jobs: readonly Job[]
}

function decide(submissions: readonly Submission[], { byId, byKey }: Earlier): Decided | Refusal {
  const seen = new Map(byKey)
  const submitted: Submitted[] = []
  const jobs: Job[] = []
  for (const submission of submissions) {
    const transition = submit(submission)
    if (isRefusal(transition)) return transition
    const existing = existingJob(submission, byId, seen)
    if (isRefusal(existing)) return existing
    submitted.push({ id: existing ?? submission.id, created: existing === null })
    if (existing !== null) continue
    const key = idempotencyKey(submission)
    if (key !== null) seen.set(key, submission)
    jobs.push(transition.next)
  }
  return { submitted, jobs }
}

function existingJob(
  submission: Submission,
  byId: Earlier['byId'],
  byKey: Earlier['byKey'],
): JobId | null | Refusal {
  const sameId = byId.get(submission.id)
  if (sameId)
    return encodeSubmission(sameId) === encodeSubmission(submission) ? sameId.id : refuse('job_exists')
  return jobOfKey(submission, byKey)
}

function jobOfKey(keyed: Keyed, byKey: Earlier['byKey']): JobId | null | Refusal {
  const key = idempotencyKey(keyed)
  if (key === null || !keyed.idempotency) return null
  const { key: name, bodyHash } = keyed.idempotency
  const decision = idempotencyDecision(byKey.get(key) ?? null, name, bodyHash)
  if (isRefusal(decision)) return decision
  return decision.decision === 'same_job' ? decision.job : null
}

async function commitJobs(
  store: Store,
  room: string,
  jobs: readonly Job[],
  earlier: Earlier,
  options: SubmitOptions,
): Promise<Committed | Stale> {
  const slots = await reserveFor(room, jobs, options.reserve)
  let filled: readonly KnownJob[] = []
  try {
    const placed = slots === null ? jobs : assignFirst(jobs, slots, store.now())
    const outcome = await store.commit(changeOf(store, room, placed, earlier, options))
    if (outcome.outcome === 'committed') {
      filled = placed.filter(isActive).map((job) => ({ job, version: outcome.revision }))
      options.onCommitted?.(placed)
    }
    return outcome
  } finally {
    // A commit whose answer was lost may have happened: then the acceptance deadline takes its jobs back.
    slots?.fill(filled)
  }
}

/** A bulk goes to one extension; one that does not has to wait in its queues. */
async function reserveFor(
  room: string,
  jobs: readonly Job[],
  reserve: ReserveSlots | undefined,
): Promise<ReservedSlots | null> {
  const ready = jobs.filter(({ queued }) => queued)
  const [first] = ready
  if (!first || !reserve) return null
  const { queue } = placesOf(first.submission)
  let lowest = score(first.submission)
  for (const { submission } of ready) {
    if (placesOf(submission).queue !== queue) return null
    lowest = Math.min(lowest, score(submission))
  }
  return reserve({ room, queue, count: ready.length, score: lowest })
}

function changeOf(
  store: Store,
  room: string,
  jobs: readonly Job[],
  { keyVersions }: Earlier,
  { resting = {}, beside = [] }: SubmitOptions,
): Change {
  const add: Record<string, number> = {}
  const keyed: Put[] = []
  const announce: Announcement[] = []
  for (const job of jobs) {
    const key = idempotencyKey(job.submission)
    if (key !== null) keyed.push({ key, expect: keyVersions.get(key) ?? 0, head: job.submission.id })
    announce.push(...announceSubmitted(job))
    count(add, job)
  }
  return {
    id: newId(store.now()),
    partition: room,
    takesIn: true,
    expect: resting,
    add,
    put: [...jobs.map(putNewJob), ...keyed, ...beside],
    announce,
  }
}

/** One that is assigned at once is told of like any other: first that it waits, then where it goes. */
function announceSubmitted(job: Job): readonly Announcement[] {
  if (!isActive(job)) return [announceNewJob(job)]
  const before: Job = { ...job, status: 'pending', attempt: null }
  return [announceNewJob(before), announceJob(before, job)]
}

function count(add: Record<string, number>, job: Job): void {
  const { open, running } = placesOf(job.submission)
  add[open] = (add[open] ?? 0) + 1
  if (!isActive(job)) return
  add[running] = (add[running] ?? 0) + 1
  add[runningCounter] = (add[runningCounter] ?? 0) + 1
}

async function findEarlier(
  store: Store,
  room: string,
  keyed: readonly Keyed[],
  maybeSubmitted: readonly Submission[],
): Promise<Earlier> {
  const keys = keyed.map(idempotencyKey).filter((key) => key !== null)
  const keyRecords = keys.length === 0 ? [] : await store.read(room, [...new Set(keys)])
  const found = keyRecords.filter((record) => record !== null)
  const ids = new Set([...found.map(({ head }) => head as JobId), ...maybeSubmitted.map(({ id }) => id)])
  const records = ids.size === 0 ? [] : await store.read(room, [...ids].map(jobKey))
  const known = records.filter((record) => record !== null).map((record) => jobOfRecord(record).submission)
  const byId = new Map(known.map((submission) => [submission.id, submission]))
  const byKey = found.flatMap(({ key, head }) => {
    const submission = byId.get(head as JobId)
    return submission ? [[key, submission] as const] : []
  })
  return {
    byId,
    byKey: new Map(byKey),
    keyVersions: new Map(found.map(({ key, version }) => [key, version])),
  }
}

/** A record of its own that lives and goes with the job. The length keeps a slash in a name from meaning another's key. */
export function idempotencyKey({ submitter, idempotency }: Keyed): RecordKey | null {
  return idempotency ? `idempotency/${submitter.length}/${submitter}/${idempotency.key}` : null
}

// The room is derived once, from path and credential; a submission that names another is our own mistake.
function requireRoom(room: string, submissions: readonly Submission[]): void {
  const stranger = submissions.find((submission) => submission.room !== room)
  if (stranger) throw new TypeError(`a submission for room ${stranger.room} was handed to room ${room}`)
}
