// The one way into a terminal state. Every failed job is a dead letter: nobody's work is lost in silence.

import { record } from './history.ts'
import type { Job, JobError, JobStatus, TerminalStatus } from './job.ts'
import { timings } from './timings.ts'

export interface JobEnd {
  readonly status: TerminalStatus
  readonly reason: string
  readonly by?: string
  readonly error?: JobError
}

export function isTerminal(status: JobStatus): status is TerminalStatus {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** Takes the job with its attempt already ended, its status still the one it is leaving. */
export function endJob(job: Job, end: JobEnd, now: number): Job {
  const { retryAt: _retryAt, error: _error, ...kept } = job
  const lastRun = job.status === 'pending' ? undefined : job.ended.at(-1)
  return {
    ...kept,
    status: end.status,
    queued: false,
    deadLetter: end.status === 'failed',
    endedAt: now,
    ...timings(job.submission.createdAt, lastRun?.startedAt, now),
    ...(end.error && { error: end.error }),
    history: record(job, {
      at: now,
      status: end.status,
      reason: end.reason,
      ...(end.by !== undefined && { by: end.by }),
    }),
  }
}
