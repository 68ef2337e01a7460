// The domain decides. It has no clock, no dice and no I/O: instants and random numbers are handed in.

// words shared by all nouns

export type {
  AttemptToken,
  JobId,
  RoomName,
  SchemaHash,
  SessionId,
  UserName,
  WorkerId,
} from './ids.ts'
export type { Refusal, RefusalCode, RefusalEntry } from './refusal.ts'
export { isRefusal, refusalCatalogue, refuse } from './refusal.ts'

// job

export type { AttemptPlan } from './job/attempt.ts'
export { headOf, jobOf, prepareAttempt, withAttempt } from './job/attempt.ts'
export { textLimits } from './job/bounded-error.ts'
export { dueAt, onDue } from './job/due.ts'
export { isTerminal } from './job/end-job.ts'
export { historyLimit, historyOf } from './job/history.ts'
export type { IdempotencyDecision } from './job/idempotency.ts'
export { idempotencyDecision } from './job/idempotency.ts'
export type {
  Attempt,
  AttemptOutcome,
  CancelRequest,
  CancelStage,
  EndedAttempt,
  HistoryEntry,
  Job,
  JobError,
  JobHead,
  JobStatus,
  Progress,
  Scope,
  Submission,
  TerminalStatus,
} from './job/job.ts'
export type { JobEffect, StopHow, Transition } from './job/job-effect.ts'
export type { AttemptEvent, DueEvent, JobEvent, JobEventOf, JobEventType } from './job/job-event.ts'
export { band, bandCount, boostMs, score } from './job/order.ts'
export type { JobPolicy, PolicyLimit } from './job/policy.ts'
export { defaultPolicy, policyLimits, resolvePolicy } from './job/policy.ts'
export { capPriority, priorityCaps, priorityLimits } from './job/priority.ts'
export type { QueueIdentity } from './job/queue.ts'
export { queueOf, taskRunBy } from './job/queue.ts'
export { readyAt } from './job/ready.ts'
export type { RedriveOrder } from './job/redrive.ts'
export { redriveSubmission } from './job/redrive.ts'
export { expiresAt } from './job/retention.ts'
export { maxUnchargedDeliveries } from './job/retry.ts'
export { maxDelayMs, submit } from './job/submit.ts'
export { transition } from './job/transition.ts'
