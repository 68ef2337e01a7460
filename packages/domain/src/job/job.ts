// What a job is. The submission never changes after submit; everything else is the job's head, which each transition
// replaces. An attempt is attached by a claim without reading the head, so it stands beside it, not inside.

import type { AttemptToken, JobId, RoomName, SchemaHash, UserName, WorkerId } from '../ids.ts'
import type { JobPolicy } from './policy.ts'

export type TerminalStatus = 'completed' | 'failed' | 'cancelled'

export type JobStatus = 'pending' | 'assigned' | 'running' | TerminalStatus

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
  /** Provenance: the ended job this one was redriven from. */
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
export type CancelStage = 'requested' | 'delivered' | 'acknowledged' | 'stopped' | 'killed'

export interface CancelRequest {
  readonly by: UserName
  readonly requestedAt: number
  readonly stage: CancelStage
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

/** What each transition replaces. Stored as one small JSON string, so everything in it is bounded. */
export interface JobHead {
  readonly status: JobStatus
  /** Whether the job stands in its queue; a pending one that waits for `readyAt` does not. */
  readonly queued: boolean
  readonly ended: readonly EndedAttempt[]
  /** Attempts that count against policy.maxAttempts. */
  readonly charged: number
  /** Deliveries that do not count (worker lost, rejected, …) but are capped together. */
  readonly uncharged: number
  /** Set by a retry: not offered before this instant. The order in the queue stays the submission's. */
  readonly retryAt?: number
  readonly progress?: Progress
  readonly cancel?: CancelRequest
  /** Why the job failed, or why it is being tried again; a completed or cancelled job has none. */
  readonly error?: JobError
  /** Whether the job failed and waits to be redriven. */
  readonly deadLetter: boolean
  readonly redrivenAs?: JobId
  readonly redrivenAt?: number
  /** From createdAt to the start of the run that ended the job; to its end when no run did. */
  readonly waitMs?: number
  /** The length of the run that ended the job; absent when no run did. */
  readonly runMs?: number
  readonly endedAt?: number
  /** JSON text, where it is short; a long one stands beside the job. */
  readonly result?: string
  /** Without the entry of an attempt that was only just attached: `historyOf` is the whole story. */
  readonly history: readonly HistoryEntry[]
}

export interface Job extends JobHead {
  readonly submission: Submission
  readonly attempt: Attempt | null
}
