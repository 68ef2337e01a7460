// Tokens fence: what is said about an attempt counts only while it is the current one. What was already applied is
// acknowledged again, so that a worker which lost the answer may repeat itself.

import { type Refusal, refuse } from '../refusal.ts'
import { isTerminal } from './end-job.ts'
import type { Attempt, EndedAttempt, Job } from './job.ts'
import { alreadyApplied, type Transition } from './job-effect.ts'
import type { AttemptEvent, JobEvent } from './job-event.ts'

const reportedOutcomes: readonly EndedAttempt['outcome'][] = ['completed', 'failed_retryable', 'failed_fatal']

/** Null lets the event through to the transition table. */
export function fence(job: Job, event: JobEvent): Transition | Refusal | null {
  if (!('token' in event) || job.attempt?.token === event.token) return null
  const ended = job.ended.find(({ token }) => token === event.token)
  if (ended === undefined) return refuse('attempt_superseded')
  if (saysTheSame(event, ended)) return alreadyApplied(job)
  return isTerminal(job.status) && ended === job.ended.at(-1) ? null : refuse('attempt_superseded')
}

/** For handlers behind the fence: the table sends them only jobs that are assigned or running. */
export function requireAttempt(job: Job): Attempt {
  if (job.attempt === null) throw new Error(`A job that is ${job.status} has lost its attempt.`)
  return job.attempt
}

/** A worker that lost the answer repeats its report from the start on, so what led to its outcome counts as well. */
function saysTheSame(event: AttemptEvent, { outcome, startedAt }: EndedAttempt): boolean {
  switch (event.type) {
    case 'start':
    case 'progress':
      return startedAt !== undefined && reportedOutcomes.includes(outcome)
    case 'complete':
      return outcome === 'completed'
    case 'fail':
      return outcome === (event.retryable ? 'failed_retryable' : 'failed_fatal')
    case 'reject':
      return outcome === 'rejected'
    case 'worker_lost':
    case 'server_stop':
      return outcome === event.type
    default:
      return false
  }
}
