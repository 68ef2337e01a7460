// An extension as its author writes it: what it is called, what its jobs' data look like, and the handler that runs one.

import type { Job, OfferedJob } from '../job/job.ts'
import type { Failed, Rejected } from '../job/outcome.ts'
import { collectForRunner } from '../runner/in-runner.ts'
import { WorkerError } from '../worker-error.ts'
import type { DataOf } from './data-of.ts'

/** What an extension asks for and allows itself; whatever is left out is the server's default. */
export interface ExtensionPolicy {
  /** What one job takes from a worker. */
  readonly needs?: {
    readonly slots?: number
    readonly cpu?: number
    readonly memoryMb?: number
    readonly gpu?: number
    readonly labels?: readonly string[]
  }
  /** Jobs of this extension that run at once, over all rooms. */
  readonly maxRunning?: number | null
  /** Its jobs end quickly, so they may use the slots that a pool keeps for short ones. */
  readonly short?: boolean
  readonly breaker?: Readonly<Record<string, number>>
  readonly rate?: Readonly<Record<string, number>> | null
  readonly job?: {
    readonly maxAttempts?: number
    readonly backoffBaseMs?: number
    readonly backoffCapMs?: number
    readonly acceptMs?: number
    readonly runLimitMs?: number
    readonly cancelGraceMs?: number
    readonly onWorkerLost?: 'requeue' | 'fail'
    readonly retentionMs?: number
    readonly deadLetterRetentionMs?: number
  }
}

export interface Extension<Data = unknown, Result = unknown, Schema extends object = object> {
  readonly category: string
  readonly name: string
  /** The room it serves, or several. Without one it is for the worker's `room`. */
  readonly room?: string | readonly string[]
  /** `global` serves every room and takes an admin's credential. */
  readonly scope?: 'room' | 'global' | 'builtin'
  /** JSON Schema (2020-12) of a job's data; the form that people fill in is made from it. */
  readonly schema: Schema
  readonly policy?: ExtensionPolicy
  /** Asked before a job starts; it cannot wait. Returning `rejected(reason)` hands the job back. */
  accept?(job: OfferedJob<Data>): Rejected | undefined
  /** The returned value is the job's result and has to be JSON. What is thrown is a retryable failure. */
  run(job: Job<Data>): Promise<Result | Failed | Rejected> | Result | Failed | Rejected
}

/**
 * Says what an extension is. The type of `data` is read off the schema; where that is not enough, give it yourself:
 * `defineExtension<{ steps: number }>({ … })`.
 */
export function defineExtension<const Schema extends object, Result>(
  definition: Extension<DataOf<Schema>, Result, Schema>,
): Extension<DataOf<Schema>, Result, Schema>
export function defineExtension<Data>(definition: Extension<Data>): Extension<Data>
export function defineExtension(definition: Extension): Extension {
  const lack = lackOf(definition)
  if (lack !== null) throw faultAtCaller(lack)
  collectForRunner(definition)
  return definition
}

/** The types say as much, but a file runs without having been checked. */
function lackOf({ category, name, schema, run }: Partial<Extension>): string | null {
  if (typeof name !== 'string' || name === '') return 'An extension has no `name`.'
  if (typeof category !== 'string' || category === '') return `${name} has no \`category\`.`
  const called = `${category}/${name}`
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return `${called} has no \`schema\`: a JSON Schema of its jobs' data, at least \`{}\`.`
  }
  return typeof run === 'function'
    ? null
    : `${called} has no \`run\`: the function that runs one of its jobs.`
}

/** Its stack begins with the line that has to be mended. */
function faultAtCaller(message: string): WorkerError {
  const error = new WorkerError(message)
  Error.captureStackTrace(error, defineExtension)
  return error
}

/** The same in the worker and in its runners, which import the same module. */
export function definitionKey({ category, name, scope, room }: Extension): string {
  return JSON.stringify([category, name, scope, room])
}
