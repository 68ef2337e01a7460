// The errors of this package. Each is recognised by its brand, so `instanceof` holds between two copies of the package,
// as they come about when an extension and its host depend on different ones.

import type { Problem } from '@millrace/protocol'

type Brand =
  | 'WorkerError'
  | 'WorkerRefused'
  | 'JobAborted'
  | 'LockRefused'
  | 'LockLost'
  | 'SubmitRefused'
  | 'SubmitUnanswered'

export class WorkerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    mark(this, 'WorkerError')
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'WorkerError')
  }
}

/** The server says no, in a sentence of its own. */
abstract class Refused extends WorkerError {
  /** With the server's sentence, its stable code and whatever details belong to it. */
  readonly problem: Problem

  constructor(problem: Problem, brand: Brand) {
    super(`${problem.detail} (${problem.code})`)
    this.problem = problem
    mark(this, brand)
    Object.defineProperty(this, 'problem', { enumerable: false })
  }

  get code(): string {
    return this.problem.code
  }
}

/** The server refuses this worker: its credential, its id, or an extension with another schema than is being served. */
export class WorkerRefused extends Refused {
  constructor(problem: Problem) {
    super(problem, 'WorkerRefused')
    // Whoever started the worker reads this on a terminal: where in the SDK it was noticed is no news, the sentence is.
    this.stack = `${this.name}: ${this.message}`
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'WorkerRefused')
  }
}

/**
 * - `cancelled`: somebody cancelled the job;
 * - `run_limit`: it ran longer than its policy allows;
 * - `superseded`: the server gave the job to another attempt or ended it, so nobody waits for this one;
 * - `stopping`: the worker stops and the time it waits for its jobs is over.
 */
export type AbortCause = 'cancelled' | 'run_limit' | 'superseded' | 'stopping'

/** The reason of a job's signal. */
export class JobAborted extends WorkerError {
  readonly why: AbortCause

  constructor(why: AbortCause, message: string) {
    super(message)
    this.why = why
    mark(this, 'JobAborted')
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'JobAborted')
  }
}

/** The server does not give the job this lock: another session holds it (`locked`), or it may not ask for it. */
export class LockRefused extends Refused {
  constructor(problem: Problem) {
    super(problem, 'LockRefused')
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'LockRefused')
  }
}

/** The server does not take this job, or lets nobody in with this credential. Nothing was submitted. */
export class SubmitRefused extends Refused {
  constructor(problem: Problem) {
    super(problem, 'SubmitRefused')
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'SubmitRefused')
  }
}

/** The answer to a submit is missing. Where `wasSent`, the job may have been taken or not: only the server knows. */
export class SubmitUnanswered extends WorkerError {
  readonly wasSent: boolean

  constructor(message: string, wasSent: boolean) {
    super(message)
    this.wasSent = wasSent
    mark(this, 'SubmitUnanswered')
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'SubmitUnanswered')
  }
}

/** A lock that a job held has ended before the job let go of it; what it guards may be written by others. */
export class LockLost extends WorkerError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    mark(this, 'LockLost')
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return carries(value, 'LockLost')
  }
}

function symbolOf(brand: Brand): symbol {
  return Symbol.for(`@millrace/worker/${brand}`)
}

function mark(error: Error, brand: Brand): void {
  Object.defineProperty(error, symbolOf(brand), { value: true })
  Object.defineProperty(error, 'name', { value: brand, configurable: true })
}

function carries(value: unknown, brand: Brand): boolean {
  return typeof value === 'object' && value !== null && symbolOf(brand) in value
}
