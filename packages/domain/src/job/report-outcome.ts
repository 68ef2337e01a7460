// What a worker reports at the end of an attempt: completed, failed, or rejected before it began.

import { endAttempt } from './attempt.ts'
import { boundedError, cutText, textLimits } from './bounded-error.ts'
import { endJob } from './end-job.ts'
import { requireAttempt } from './fence.ts'
import type { Job } from './job.ts'
import { attemptEnded, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'
import { afterFailure } from './retry.ts'

/** Work that is done is done: a completion that arrives before the worker stopped beats a cancel request. */
export function complete(job: Job, { result }: JobEventOf<'complete'>, now: number): Transition {
  const attempt = requireAttempt(job)
  const over = endAttempt(job, attempt, { outcome: 'completed' }, now)
  const reason = job.cancel ? 'completed before the cancel took effect' : 'completed'
  const end = { status: 'completed', reason, by: attempt.worker } as const
  return {
    next: endJob(over, result !== undefined && isShortResult(result) ? { ...end, result } : end, now),
    effects: [attemptEnded(attempt, 'completed')],
  }
}

/** More would make every head that a page reads longer; a record of its own costs as much as the job's. */
const shortResultLength = 256

function isShortResult(result: string): boolean {
  return result.length <= shortResultLength
}

export function fail(job: Job, event: JobEventOf<'fail'>, now: number, random: number): Transition {
  const outcome = event.retryable ? 'failed_retryable' : 'failed_fatal'
  return afterFailure(job, { outcome, error: boundedError(event.error) }, now, random)
}

export function reject(job: Job, event: JobEventOf<'reject'>, now: number, random: number): Transition {
  const because = event.reason ? `: ${cutText(event.reason, textLimits.rejectReason)}` : ''
  const error = { message: `Rejected by the worker${because}`, name: 'rejected' }
  return afterFailure(job, { outcome: 'rejected', error }, now, random)
}
