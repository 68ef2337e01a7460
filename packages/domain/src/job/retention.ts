// How long an ended job is kept: dead letters longer, until somebody redrives them.

import { type Refusal, refuse } from '../refusal.ts'
import type { Job } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

/** Null while the job has not ended. A redriven job starts its retention again, so it does not vanish at the click. */
export function expiresAt(job: Job): number | null {
  if (job.endedAt === undefined) return null
  const { retentionMs, deadLetterRetentionMs } = job.submission.policy
  if (job.deadLetter) return job.endedAt + deadLetterRetentionMs
  return Math.max(job.endedAt, job.redrivenAt ?? 0) + retentionMs
}

export function expire(job: Job, _event: JobEventOf<'expire'>, now: number): Transition | Refusal {
  const at = expiresAt(job)
  if (at === null || now < at) return refuse('job_not_due')
  return { next: job, effects: [{ kind: 'remove' }] }
}
