// Assign: what a claim does, for callers that decide it here. A claim in the store skips these checks because its
// queue implies them: only queued jobs are in one, and a task's queue belongs to its addressee.

import { type Refusal, refuse } from '../refusal.ts'
import { withAttempt } from './attempt.ts'
import type { Job } from './job.ts'
import { quietly, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

export function assign(job: Job, { attempt }: JobEventOf<'assign'>): Transition | Refusal {
  const { addressee } = job.submission
  if (!job.queued) return refuse('job_not_due')
  if (addressee !== undefined && addressee !== attempt.worker) return refuse('job_not_addressed')
  return quietly(withAttempt(job, attempt))
}
