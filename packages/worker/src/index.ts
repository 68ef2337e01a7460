// The SDK for people who write extensions, and for programs that submit jobs to them.

export type { Token } from './connection/dial.ts'
export type { DataOf } from './extension/data-of.ts'
export { defineExtension, type Extension, type ExtensionPolicy } from './extension/extension.ts'
export type { Job, OfferedJob } from './job/job.ts'
export { type Failed, failed, fatal, type Rejected, rejected } from './job/outcome.ts'
export type { JobLock, LockOptions } from './lock/job-lock.ts'
export type { RunnerUser } from './runner/runner-options.ts'
export {
  createSubmitter,
  type JobToSubmit,
  type Submitter,
  type SubmitterOptions,
} from './submit/submitter.ts'
export { createWorker, type Worker } from './worker/create-worker.ts'
export type { EndedJob, WorkerEvents } from './worker/worker-events.ts'
export type { Logger, WorkerOptions } from './worker/worker-options.ts'
export {
  type AbortCause,
  JobAborted,
  LockLost,
  LockRefused,
  SubmitRefused,
  SubmitUnanswered,
  WorkerError,
  WorkerRefused,
} from './worker-error.ts'
