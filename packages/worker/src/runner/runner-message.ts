// What a worker and its runners say to each other, as JSON over the channel between parent and child.

import type { AssignedJob, JobError, Problem } from '@millrace/protocol'
import { failed, isFailed, isRejected, rejected } from '../job/outcome.ts'
import { errorOf, type Settled } from '../job/settled.ts'
import type { LockRequest } from '../lock/lock-desk.ts'
import { asJson } from '../report/as-json.ts'
import type { AbortCause } from '../worker-error.ts'

export type ToRunner =
  | { readonly type: 'run'; readonly extension: string; readonly job: AssignedJob }
  | { readonly type: 'abort'; readonly why: AbortCause; readonly message: string }
  | { readonly type: 'lock'; readonly reply: LockReply }

export type FromRunner =
  /** It has imported the module and found these extensions in it. */
  | { readonly type: 'ready'; readonly extensions: readonly string[] }
  /** It could not import the module, and ends. */
  | { readonly type: 'unable'; readonly message: string }
  | { readonly type: 'progress'; readonly fraction: number; readonly message?: string }
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'lock'; readonly ask: number; readonly holding: number; readonly order: LockOrder }
  | { readonly type: 'settled'; readonly end: RunEnd }
  /** Something was thrown that nobody caught; the runner ends. */
  | { readonly type: 'crashed'; readonly error: JobError }

/** About one holding, which the runner numbers. */
export type LockOrder =
  | { readonly do: 'hold'; readonly request: LockRequest }
  | { readonly do: 'say'; readonly message: string | null }
  | { readonly do: 'release' }

export type LockReply =
  | { readonly how: 'done'; readonly ask: number; readonly fence: number }
  | { readonly how: 'refused'; readonly ask: number; readonly message: string; readonly problem?: Problem }
  | { readonly how: 'lost'; readonly holding: number; readonly message: string }

/** `Settled` without the values that only mean something inside one process. */
export type RunEnd =
  | { readonly how: 'returned'; readonly value?: unknown }
  | { readonly how: 'failed'; readonly message: string; readonly retryable: boolean }
  | { readonly how: 'rejected'; readonly reason: string }
  | { readonly how: 'threw'; readonly error: JobError }

export function endOf(settled: Settled): RunEnd {
  if (settled.how === 'threw') return settled
  if (settled.how !== 'returned') throw new Error('A runner does not outlive its own end.')
  const { value } = settled
  if (isFailed(value)) return { how: 'failed', message: value.message, retryable: value.retryable }
  if (isRejected(value)) return { how: 'rejected', reason: value.reason }
  try {
    return { how: 'returned', value: asJson(value).value }
  } catch (error) {
    return { how: 'failed', message: errorOf(error).message, retryable: false }
  }
}

export function settledOf(end: RunEnd): Settled {
  switch (end.how) {
    case 'returned':
      return { how: 'returned', value: end.value }
    case 'failed':
      return { how: 'returned', value: failed(end.message, { retryable: end.retryable }) }
    case 'rejected':
      return { how: 'returned', value: rejected(end.reason) }
    case 'threw':
      return end
  }
}
