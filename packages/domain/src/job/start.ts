// The worker has begun, or has come back: what it says about an attempt that goes on.

import { requireAttempt } from './fence.ts'
import { record } from './history.ts'
import type { Job } from './job.ts'
import { quietly, stopAttempt, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

export function start(job: Job, _event: JobEventOf<'start'>, now: number): Transition {
  const attempt = requireAttempt(job)
  return quietly({
    ...job,
    status: 'running',
    attempt: { ...attempt, startedAt: now, runUntil: now + job.submission.policy.runLimitMs },
    history: record(job, { at: now, status: 'running', reason: 'started', by: attempt.worker }),
  })
}

/** A worker that was away did not hear a cancel sent meanwhile, so it is told again. */
export function resume(job: Job, _event: JobEventOf<'resume'>, now: number): Transition {
  const attempt = requireAttempt(job)
  const history = record(job, {
    at: now,
    status: job.status,
    reason: 'worker returned',
    by: attempt.worker,
  })
  return { next: { ...job, history }, effects: job.cancel ? [stopAttempt(attempt, 'abort')] : [] }
}
