// What a job is. The submission never changes after submit; everything else is the job's head, which each transition
// replaces. An attempt is attached by a claim without reading the head, so it stands beside it, not inside.

import type { AttemptToken, JobId, RoomName, SchemaHash, UserName, WorkerId } from '../ids.ts'
import type { JobPolicy } from './policy.ts'

export type JobStatus = 'pending' | 'assigned' | 'running' | 'completed' | 'failed' | 'cancelled'

export type Scope = 'room' | 'global' | 'builtin'

export interface Submission {
  readonly id: JobId
  readonly room: RoomName
  readonly scope: Scope
  readonly category: string
  readonly extension: string
  readonly schemaHash: SchemaHash
  readonly data: unknown
  readonly submitter: UserName
  /** 0 (lowest) to 10; a higher one goes first, a low one ages past it. */
  readonly priority: number
  readonly createdAt: number
  /** A job is not offered before this instant. */
  readonly notBefore?: number
  /** A job still pending at this instant fails: a silent worker or manager cannot keep it for ever. */
  readonly runBy?: number
  /** A task: only this worker (a manager) may take it. */
  readonly addressee?: WorkerId
  readonly policy: JobPolicy
  readonly idempotency?: { readonly key: string; readonly bodyHash: string }
  /** Provenance: the dead letter this job was redriven from. */
  readonly redriveOf?: JobId
}

export interface Attempt {
  readonly token: AttemptToken
  readonly worker: WorkerId
  readonly assignedAt: number
  readonly acceptBy: number
  readonly startedAt?: number
  readonly runUntil?: number
}

export type AttemptOutcome =
  | 'completed'
  | 'failed_retryable'
  | 'failed_fatal'
  | 'timed_out'
  | 'rejected'
  | 'not_accepted'
  | 'worker_lost'
  | 'server_stop'
  | 'cancelled'

export interface EndedAttempt extends Attempt {
  readonly endedAt: number
  readonly outcome: AttemptOutcome
  readonly error?: JobError
}

export interface JobError {
  readonly message: string
  readonly name?: string
  readonly stack?: string
}

/** Stages become visible in this order; killed only where a runner process exists to be killed. */
export interface CancelRequest {
  readonly by: UserName
  readonly requestedAt: number
  readonly stage: 'requested' | 'delivered' | 'acknowledged' | 'stopped' | 'killed'
  readonly stageAt: number
}

export interface Progress {
  readonly fraction: number
  readonly message?: string
  readonly at: number
}

export interface HistoryEntry {
  readonly at: number
  readonly status: JobStatus
  readonly reason: string
  readonly by?: string
}

export interface Job {
  readonly submission: Submission
  readonly status: JobStatus
  readonly attempt: Attempt | null
  readonly ended: readonly EndedAttempt[]
  /** Attempts that count against policy.maxAttempts. */
  readonly charged: number
  /** Deliveries that do not count (worker lost, rejected, …) but are capped together. */
  readonly uncharged: number
  /** Set by a retry: not offered before this instant. The order in the queue stays the submission's. */
  readonly retryAt?: number
  readonly progress?: Progress
  readonly cancel?: CancelRequest
  readonly error?: JobError
  /** Whether the job ended as a dead letter, waiting to be redriven. */
  readonly deadLetter: boolean
  readonly redrivenAs?: JobId
  /** The sum of the times spent pending or assigned before the run that ended it. */
  readonly waitMs?: number
  readonly runMs?: number
  readonly endedAt?: number
  readonly history: readonly HistoryEntry[]
}
