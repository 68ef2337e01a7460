// Everything that can happen to a job after its submission. Events about an attempt carry its token and pass the
// fence; the deadline events carry nothing, because the job itself knows whether they are due.

import type { AttemptToken, JobId, UserName } from '../ids.ts'
import type { Attempt, CancelStage, JobError } from './job.ts'

/** Reported by the worker, or by the server about the worker, for one attempt. */
export type AttemptEvent =
  | { readonly type: 'start'; readonly token: AttemptToken }
  | { readonly type: 'reject'; readonly token: AttemptToken; readonly reason?: string }
  | {
      readonly type: 'progress'
      readonly token: AttemptToken
      readonly fraction: number
      readonly message?: string
    }
  /** `result` is JSON text. */
  | { readonly type: 'complete'; readonly token: AttemptToken; readonly result?: string }
  | {
      readonly type: 'fail'
      readonly token: AttemptToken
      readonly retryable: boolean
      readonly error: JobError
    }
  | { readonly type: 'resume'; readonly token: AttemptToken }
  | { readonly type: 'worker_lost'; readonly token: AttemptToken }
  | { readonly type: 'server_stop'; readonly token: AttemptToken }
  | {
      readonly type: 'cancel_stage'
      readonly token: AttemptToken
      readonly stage: Exclude<CancelStage, 'requested'>
    }

export type DueEvent =
  | { readonly type: 'ready' }
  | { readonly type: 'run_by_passed' }
  | { readonly type: 'acceptance_passed' }
  | { readonly type: 'execution_passed' }
  | { readonly type: 'cancel_grace_passed' }
  | { readonly type: 'expire' }

export type JobEvent =
  | AttemptEvent
  | DueEvent
  | { readonly type: 'assign'; readonly attempt: Attempt }
  | { readonly type: 'cancel'; readonly by: UserName }
  /** `once`: not again, however the job ended. */
  | { readonly type: 'redrive'; readonly as: JobId; readonly once?: true }

export type JobEventType = JobEvent['type']

export type JobEventOf<Type extends JobEventType> = Extract<JobEvent, { readonly type: Type }>
