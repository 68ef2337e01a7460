// What a handler is given.

import type { JobLock, LockOptions } from '../lock/job-lock.ts'

/** A job before it is taken: enough to say whether this worker can run it. */
export interface OfferedJob<Data = unknown> {
  readonly id: string
  readonly room: string
  /** Validated against the schema, with its defaults filled in. */
  readonly data: Data
  readonly submitter: string
  /** 1 for the first try. */
  readonly attempt: number
}

/** All of it can be taken apart: `run({ data, progress, log, signal })`. */
export interface Job<Data = unknown> extends OfferedJob<Data> {
  /**
   * Aborted when the job is cancelled, runs longer than it may, was given to somebody else, or the worker stops; its
   * reason is a `JobAborted`. Hand it on to `fetch` and the like, or look at `signal.aborted` between steps.
   */
  readonly signal: AbortSignal
  /** How far it is, from 0 to 1. Call it as often as you like: the latest is sent ten times a second. */
  readonly progress: (fraction: number, message?: string) => void
  /** A line for the job's log. A text with line breaks becomes several. */
  readonly log: (line: string) => void
  /**
   * Holds a target of the job's room, as `trajectory`, against everybody else; rejects with `LockRefused` while another
   * session holds it. It is refreshed until it is released or the handler ends: `await using lock = await job.lock('…')`.
   */
  readonly lock: (target: string, options?: LockOptions) => Promise<JobLock>
}
