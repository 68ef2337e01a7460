// The one way into a terminal state. Every failed job is a dead letter: nobody's work is lost in silence.

import { record } from './history.ts'
import type { Job, JobError, JobStatus, TerminalStatus } from './job.ts'
import { timings } from './timings.ts'

export interface JobEnd {
  readonly status: TerminalStatus
  readonly reason: string
  readonly by?: string
  readonly error?: JobError
  readonly result?: string
}

export function isTerminal(status: JobStatus): status is TerminalStatus {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** Takes the job with its attempt already ended, its status still the one it is leaving. */
export function endJob(job: Job, end: JobEnd, now: number): Job {
  const lastRun = job.status === 'pending' ? undefined : job.ended.at(-1)
  const { status, reason, by } = end
  const entry = by === undefined ? { at: now, status, reason } : { at: now, status, reason, by }
  const ended: { -readonly [Field in keyof Job]: Job[Field] } = {
    ...withoutRetry(job),
    status,
    queued: false,
    deadLetter: status === 'failed',
    endedAt: now,
    ...timings(job.submission.createdAt, lastRun?.startedAt, now),
    history: record(job, entry),
  }
  if (end.error) ended.error = end.error
  if (end.result !== undefined) ended.result = end.result
  return ended
}

/** Leaving fields out of a copy costs more than the rest of an end, and nearly no job has them. */
function withoutRetry(job: Job): Job {
  if (job.retryAt === undefined && job.error === undefined) return job
  const { retryAt: _retryAt, error: _error, ...kept } = job
  return kept
}
