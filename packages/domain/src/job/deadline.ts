// The three deadlines of a job that has not ended. A deadline acts when its event is decided, not when its instant
// passes: a worker's report that is decided first wins.

import { type Refusal, refuse } from '../refusal.ts'
import { endJob } from './end-job.ts'
import type { Job } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'
import { afterFailure } from './retry.ts'

export function acceptancePassed(
  job: Job,
  _event: JobEventOf<'acceptance_passed'>,
  now: number,
  random: number,
): Transition | Refusal {
  if (!passed(job.attempt?.acceptBy, now)) return refuse('job_not_due')
  const error = { message: 'Not accepted before its deadline', name: 'not_accepted' }
  return afterFailure(job, { outcome: 'not_accepted', error }, now, random)
}

export function executionPassed(
  job: Job,
  _event: JobEventOf<'execution_passed'>,
  now: number,
  random: number,
): Transition | Refusal {
  if (!passed(job.attempt?.runUntil, now)) return refuse('job_not_due')
  const message = `Ran longer than its limit of ${job.submission.policy.runLimitMs} ms`
  return afterFailure(job, { outcome: 'timed_out', error: { message, name: 'timed_out' } }, now, random)
}

export function runByPassed(
  job: Job,
  _event: JobEventOf<'run_by_passed'>,
  now: number,
): Transition | Refusal {
  if (!passed(job.submission.runBy, now)) return refuse('job_not_due')
  const error = { message: 'Not taken by anybody before its deadline', name: 'run_by_passed' }
  return {
    next: endJob(job, { status: 'failed', reason: error.message, error }, now),
    effects: [{ kind: 'dead_letter' }],
  }
}

function passed(deadline: number | undefined, now: number): boolean {
  return deadline !== undefined && now >= deadline
}
