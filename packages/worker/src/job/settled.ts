// How a handler came to its end, and what of it is reported. A result counts whatever was asked meanwhile; everything
// else is read in the light of why the job was aborted, if it was.

import type { AttemptRef, JobError } from '@millrace/protocol'
import { asJson } from '../report/as-json.ts'
import {
  completedReport,
  failedReport,
  type Report,
  rejectedReport,
  stoppedReport,
} from '../report/report.ts'
import type { JobAborted } from '../worker-error.ts'
import { isFailed, isRejected } from './outcome.ts'

export type Settled =
  | { readonly how: 'returned'; readonly value: unknown }
  | { readonly how: 'threw'; readonly error: JobError }
  /** The runner ended by itself, or was killed by somebody else. */
  | { readonly how: 'exited'; readonly message: string; readonly name?: string }
  /** This worker killed the runner. */
  | { readonly how: 'killed' }

/** The design's limit; the server has the last word, and this one keeps its connection from being closed. */
const maxResultBytes = 1_000_000

/** Null when nobody waits for this attempt: it was superseded, or the worker leaves it to the server. */
export function reportOf(
  ref: AttemptRef,
  settled: Settled,
  aborted: JobAborted | null,
  saidStarted: boolean,
): Report | null {
  if (aborted?.why === 'superseded') return null
  if (settled.how === 'returned') return reportOfValue(ref, settled.value, aborted, saidStarted)
  if (aborted?.why === 'stopping') return null
  if (aborted?.why === 'cancelled') return stoppedReport(ref, settled.how === 'killed' ? 'killed' : 'stopped')
  if (aborted) return failedReport(ref, { message: aborted.message, name: 'RunLimitExceeded' }, true)
  if (settled.how === 'threw') return failedReport(ref, settled.error, true)
  const { message, name = 'RunnerExited' } =
    settled.how === 'exited' ? settled : { message: 'The runner was killed.' }
  return failedReport(ref, { message, name }, true)
}

function reportOfValue(
  ref: AttemptRef,
  value: unknown,
  aborted: JobAborted | null,
  saidStarted: boolean,
): Report | null {
  if (!isFailed(value) && !isRejected(value)) return reportOfResult(ref, value)
  if (aborted?.why === 'stopping') return null
  if (aborted?.why === 'cancelled') return stoppedReport(ref, 'stopped')
  if (isFailed(value)) return failedReport(ref, { message: value.message }, value.retryable)
  // The server takes a rejection only before it has heard of a start.
  if (!saidStarted) return rejectedReport(ref, value.reason)
  return failedReport(ref, { message: `Rejected after it had started: ${value.reason}` }, true)
}

function reportOfResult(ref: AttemptRef, value: unknown): Report {
  try {
    const json = asJson(value)
    const bytes = json.bytes > maxResultBytes / 4 ? Buffer.byteLength(JSON.stringify(json.value)) : json.bytes
    if (bytes <= maxResultBytes) return completedReport(ref, json.value, bytes)
    const message = `The result takes ${bytes} bytes as JSON; the limit is ${maxResultBytes}.`
    return failedReport(ref, { message, name: 'ResultTooLarge' }, false)
  } catch (error) {
    return failedReport(ref, { ...errorOf(error), name: 'ResultNotJson' }, false)
  }
}

/** Of whatever was thrown. */
export function errorOf(thrown: unknown): JobError {
  if (!(thrown instanceof Error)) return { message: typeof thrown === 'string' ? thrown : inJson(thrown) }
  const { message, name, stack } = thrown
  return stack === undefined ? { message, name } : { message, name, stack }
}

function inJson(thrown: unknown): string {
  try {
    return `Something that is no error was thrown: ${JSON.stringify(thrown) ?? String(thrown)}`
  } catch {
    return 'Something that is no error and cannot be written was thrown.'
  }
}
