// A pending job stands in its queue, or waits for the instant at which it will.

import { type Refusal, refuse } from '../refusal.ts'
import type { Job } from './job.ts'
import { alreadyApplied, quietly, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

/** The instant from which a pending job may be offered; 0 when it never had to wait. */
export function readyAt(job: Job): number {
  return Math.max(job.submission.notBefore ?? 0, job.retryAt ?? 0)
}

export function ready(job: Job, _event: JobEventOf<'ready'>, now: number): Transition | Refusal {
  if (job.queued) return alreadyApplied(job)
  return now < readyAt(job) ? refuse('job_not_due') : quietly({ ...job, queued: true })
}
