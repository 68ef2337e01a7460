// Submits jobs to one room, all or nothing. What they name is already resolved and validated by the caller.

import {
  idempotencyDecision,
  isRefusal,
  type Job,
  type JobId,
  type Refusal,
  type Submission,
  submit,
} from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Change, Put, RecordKey, Store, StoredRecord } from '../ports/store.ts'
import { announceNewJob, jobKey, jobOfRecord, putNewJob } from './job-record.ts'

export interface Submitted {
  readonly id: JobId
  /** False: the same key and body were submitted before, and this is that job. */
  readonly created: boolean
}

export async function submitJobs(
  store: Store,
  room: string,
  submissions: readonly Submission[],
): Promise<readonly Submitted[] | Refusal> {
  for (;;) {
    const earlier = await findByKeys(store, room, submissions)

    const decided = decide(submissions, earlier)
    if (isRefusal(decided)) return decided

    const outcome = await store.commit(changeOf(store, room, decided.jobs))
    // Another submit with the same key came in between: look again.
    if (outcome.outcome === 'stale') continue

    return decided.submitted
  }
}

interface Decided {
  readonly submitted: readonly Submitted[]
  readonly jobs: readonly Job[]
}

function decide(
  submissions: readonly Submission[],
  earlier: ReadonlyMap<RecordKey, Submission>,
): Decided | Refusal {
  const seen = new Map(earlier)
  const submitted: Submitted[] = []
  const jobs: Job[] = []
  for (const submission of submissions) {
    const key = idempotencyKey(submission)
    if (key !== null && submission.idempotency) {
      const { key: name, bodyHash } = submission.idempotency
      const decision = idempotencyDecision(seen.get(key) ?? null, name, bodyHash)
      if (isRefusal(decision)) return decision
      if (decision.decision === 'same_job') {
        submitted.push({ id: decision.job, created: false })
        continue
      }
      seen.set(key, submission)
    }
    const transition = submit(submission)
    if (isRefusal(transition)) return transition
    jobs.push(transition.next)
    submitted.push({ id: submission.id, created: true })
  }
  return { submitted, jobs }
}

function changeOf(store: Store, room: string, jobs: readonly Job[]): Change {
  const keyed = jobs.flatMap(({ submission }) => {
    const key = idempotencyKey(submission)
    return key === null ? [] : [{ key, expect: 0, head: submission.id } satisfies Put]
  })
  return {
    id: newId(store.now()),
    partition: room,
    put: [...jobs.map(putNewJob), ...keyed],
    announce: jobs.map(announceNewJob),
  }
}

/** The submissions made before under the keys of these. */
async function findByKeys(
  store: Store,
  room: string,
  submissions: readonly Submission[],
): Promise<Map<RecordKey, Submission>> {
  const keys = submissions.map(idempotencyKey).filter((key) => key !== null)
  if (keys.length === 0) return new Map()
  const found = (await store.read(room, keys)).filter((record) => record !== null)
  const jobs = await store.read(
    room,
    found.map((record) => jobKey(record.head as JobId)),
  )
  return new Map(
    found.flatMap((record, index) => {
      const job: StoredRecord | null | undefined = jobs[index]
      return job ? [[record.key, jobOfRecord(job).submission] as const] : []
    }),
  )
}

/** A key belongs to its submitter; a record of its own that lives and goes with the job. */
function idempotencyKey({ submitter, idempotency }: Submission): RecordKey | null {
  return idempotency ? `idempotency/${submitter}/${idempotency.key}` : null
}
