// An attempt from its preparation to its end. A claim writes the prepared attempt beside the head without reading
// it: a head that says pending with an attempt attached means assigned.

import type { AttemptToken, WorkerId } from '../ids.ts'
import { withoutStack } from './bounded-error.ts'
import { historyOf } from './history.ts'
import type { Attempt, AttemptOutcome, EndedAttempt, Job, JobError, JobHead, Submission } from './job.ts'

export interface AttemptPlan {
  readonly token: AttemptToken
  readonly worker: WorkerId
  readonly now: number
  readonly acceptMs: number
}

export interface AttemptEnd {
  readonly outcome: AttemptOutcome
  readonly error?: JobError
}

export function prepareAttempt({ token, worker, now, acceptMs }: AttemptPlan): Attempt {
  return { token, worker, assignedAt: now, acceptBy: now + acceptMs }
}

export function withAttempt(job: Job, attempt: Attempt): Job {
  return { ...job, status: 'assigned', queued: false, attempt }
}

/** The job as it effectively is, from the three parts a store keeps. */
export function jobOf(submission: Submission, head: JobHead, attempt: Attempt | null): Job {
  const job = { ...head, submission, attempt }
  return head.status === 'pending' && attempt !== null ? withAttempt(job, attempt) : job
}

export function headOf(job: Job): JobHead {
  const { submission: _submission, attempt: _attempt, ...head } = job
  return head
}

/** Moves the attempt to the ended ones; the status is left for the caller to decide. */
export function endAttempt(job: Job, attempt: Attempt, end: AttemptEnd, now: number): Job {
  const ended: EndedAttempt = {
    ...attempt,
    endedAt: now,
    outcome: end.outcome,
    ...(end.error && { error: withoutStack(end.error) }),
  }
  return { ...job, attempt: null, ended: [...job.ended, ended], history: historyOf(job) }
}
