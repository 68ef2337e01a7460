// Submits jobs to one room, all or nothing. What they name is already resolved and validated by the caller.

import {
  idempotencyDecision,
  isRefusal,
  type Job,
  type JobId,
  queueOf,
  type Refusal,
  refuse,
  type Submission,
  submit,
} from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Change, Put, RecordKey, Store } from '../ports/store.ts'
import { announceNewJob, jobKey, jobOfRecord, openOfQueue, putNewJob } from './job-record.ts'
import { encodeSubmission } from './job-text.ts'

export interface Submitted {
  readonly id: JobId
  /** False: it was submitted before, under this id or with the same key and body. */
  readonly created: boolean
}

/** Versions of records of the room on which the caller's decisions rest, such as the extension's. */
export type RestsOn = Readonly<Record<RecordKey, number>>

/** Refused with `submission_overtaken` when what it rests on has changed: the caller reads and validates again. */
export async function submitJobs(
  store: Store,
  room: string,
  submissions: readonly Submission[],
  resting: RestsOn = {},
  beside: readonly Put[] = [],
): Promise<readonly Submitted[] | Refusal> {
  requireRoom(room, submissions)
  for (let firstTry = true; ; firstTry = false) {
    // New ids are new: whether they exist is looked up only when the commit says that something does.
    const earlier = await findEarlier(store, room, submissions, firstTry ? [] : submissions)

    const decided = decide(submissions, earlier)
    if (isRefusal(decided)) return decided

    if (decided.jobs.length > 0) {
      const outcome = await store.commit(changeOf(store, room, decided.jobs, earlier, { resting, beside }))
      if (outcome.outcome === 'stale') {
        if (Object.hasOwn(resting, outcome.key)) return refuse('submission_overtaken')
        continue
      }
    }

    return decided.submitted
  }
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
  const key = idempotencyKey(submission)
  if (key === null || !submission.idempotency) return null
  const { key: name, bodyHash } = submission.idempotency
  const decision = idempotencyDecision(byKey.get(key) ?? null, name, bodyHash)
  if (isRefusal(decision)) return decision
  return decision.decision === 'same_job' ? decision.job : null
}

function changeOf(
  store: Store,
  room: string,
  jobs: readonly Job[],
  { keyVersions }: Earlier,
  { resting, beside }: { readonly resting: RestsOn; readonly beside: readonly Put[] },
): Change {
  const add: Record<string, number> = {}
  for (const { submission } of jobs) {
    const open = openOfQueue(queueOf(submission))
    add[open] = (add[open] ?? 0) + 1
  }
  const keyed = jobs.flatMap(({ submission }) => {
    const key = idempotencyKey(submission)
    return key === null ? [] : [{ key, expect: keyVersions.get(key) ?? 0, head: submission.id }]
  })
  return {
    id: newId(store.now()),
    partition: room,
    expect: resting,
    add,
    put: [...jobs.map(putNewJob), ...keyed, ...beside],
    announce: jobs.map(announceNewJob),
  }
}

async function findEarlier(
  store: Store,
  room: string,
  submissions: readonly Submission[],
  maybeSubmitted: readonly Submission[],
): Promise<Earlier> {
  const keys = submissions.map(idempotencyKey).filter((key) => key !== null)
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
export function idempotencyKey({ submitter, idempotency }: Submission): RecordKey | null {
  return idempotency ? `idempotency/${submitter.length}/${submitter}/${idempotency.key}` : null
}

// The room is derived once, from path and credential; a submission that names another is our own mistake.
function requireRoom(room: string, submissions: readonly Submission[]): void {
  const stranger = submissions.find((submission) => submission.room !== room)
  if (stranger) throw new TypeError(`a submission for room ${stranger.room} was handed to room ${room}`)
}
