// After an attempt that did not complete: try again, or end the job. Failures are charged against maxAttempts; what
// is not the job's fault is not, but is capped, because a job that kills its workers must end too.

import { type AttemptEnd, endAttempt } from './attempt.ts'
import { endJob } from './end-job.ts'
import { requireAttempt } from './fence.ts'
import { record } from './history.ts'
import type { AttemptOutcome, Job, JobError } from './job.ts'
import { attemptEnded, type StopHow, stopAttempt, type Transition } from './job-effect.ts'
import type { JobPolicy } from './policy.ts'

export const maxUnchargedDeliveries = 10

type Failure = Exclude<AttemptOutcome, 'completed' | 'cancelled'>

interface FailureRule {
  readonly charged: boolean
  /** A worker that rejects does so at once: without a delay it would use up all deliveries in a moment. */
  readonly backoff: boolean
  /** The worker may still be at it and has to be told. */
  readonly stop?: StopHow
}

const failureRules: Readonly<Record<Failure, FailureRule>> = {
  failed_retryable: { charged: true, backoff: true },
  failed_fatal: { charged: true, backoff: true },
  timed_out: { charged: true, backoff: true, stop: 'kill' },
  rejected: { charged: false, backoff: true },
  not_accepted: { charged: false, backoff: false, stop: 'abort' },
  worker_lost: { charged: false, backoff: false },
  server_stop: { charged: false, backoff: false, stop: 'abort' },
}

export interface FailedAttempt extends AttemptEnd {
  readonly outcome: Failure
  readonly error: JobError
}

export function afterFailure(job: Job, failed: FailedAttempt, now: number, random: number): Transition {
  const attempt = requireAttempt(job)
  const over = endAttempt(job, attempt, failed, now)
  const { charged, stop } = failureRules[failed.outcome]
  const stops = stop === undefined ? [] : [stopAttempt(attempt, stop)]
  if (job.cancel) {
    const reason = `cancelled: ${failed.error.message}`
    const next = endJob(over, { status: 'cancelled', reason, by: job.cancel.by }, now)
    // A handler that throws because it was told to stop says nothing about its extension.
    return { next, effects: [attemptEnded(attempt, 'cancelled'), ...stops] }
  }
  const counted = count(over, charged)
  const verdict = finalReason(counted, failed)
  const effects = [attemptEnded(attempt, failed.outcome), ...stops]
  if (verdict === null) return { next: requeue(counted, failed, now, random), effects }
  const end = { status: 'failed', reason: verdict, by: attempt.worker, error: failed.error } as const
  return { next: endJob(counted, end, now), effects: [...effects, { kind: 'dead_letter' }] }
}

/** Full jitter: jobs that failed together do not come back together. */
export function backoffMs(policy: JobPolicy, failures: number, random: number): number {
  return Math.floor(random * Math.min(policy.backoffCapMs, policy.backoffBaseMs * 2 ** (failures - 1)))
}

function count(job: Job, charged: boolean): Job {
  return charged ? { ...job, charged: job.charged + 1 } : { ...job, uncharged: job.uncharged + 1 }
}

/** Why there is no further try, or null when there is one. */
function finalReason(job: Job, { outcome, error }: FailedAttempt): string | null {
  const { maxAttempts, onWorkerLost } = job.submission.policy
  if (outcome === 'failed_fatal') return 'fatal error'
  if (outcome === 'worker_lost' && onWorkerLost === 'fail') return error.message
  if (job.charged >= maxAttempts) return `attempt ${job.charged} of ${maxAttempts} failed`
  if (job.uncharged < maxUnchargedDeliveries) return null
  return `delivered ${job.uncharged} times without an outcome, the last time: ${error.message}`
}

function requeue(job: Job, { outcome, error }: FailedAttempt, now: number, random: number): Job {
  const { progress: _progress, retryAt: _retryAt, ...kept } = job
  const { charged, backoff } = failureRules[outcome]
  const failures = charged ? job.charged : job.uncharged
  const delayMs = backoff ? backoffMs(job.submission.policy, failures, random) : 0
  return {
    ...kept,
    status: 'pending',
    queued: delayMs === 0,
    ...(delayMs > 0 && { retryAt: now + delayMs }),
    error,
    history: record(job, { at: now, status: 'pending', reason: `requeued: ${error.message}` }),
  }
}
