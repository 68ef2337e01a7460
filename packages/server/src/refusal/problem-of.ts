// A refusal or a fault as the wire tells it (RFC 9457). What a fault says of itself stays in the log: to the caller it is
// our mistake, or a store that cannot be reached for now.

import {
  isRefusal,
  type Refusal,
  type RefusalCode,
  type RefusalEntry,
  refusalCatalogue,
  refuse,
} from '@millrace/domain'
import { ServerBusy } from '../ports/server-busy.ts'
import { StoreFull, StoreUnavailable } from '../ports/store-unavailable.ts'

export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly details?: Record<string, unknown>
}

/** How long a client should wait for a store that cannot be reached; its connection is retried every second. */
export const storeRetrySeconds: number = 2

/** Room comes back when somebody makes it, or when what has ended is old enough to go. */
const fullRetryMs = 10_000

function problemOfRefusal({ refused, message, details }: Refusal): ProblemBody {
  const entry: RefusalEntry = refusalCatalogue[refused]
  const problem = { ...headOf(refused), title: entry.meaning, status: entry.status, detail: message }
  return details === undefined ? problem : { ...problem, details: { ...details } }
}

/** What a request asked for, as far as it matters to one that cannot tell whether it was done. */
export type Asked = 'read' | 'change' | 'submit'

function problemOfFault(fault: unknown, asked: Asked): ProblemBody {
  if (fault instanceof StoreFull) return problemOfRefusal(storeFull())
  if (fault instanceof ServerBusy) return problemOfRefusal(refuse('server_busy'))
  if (fault instanceof StoreUnavailable) {
    const what = fault.answered
      ? 'The store of the server refuses to work'
      : 'The server cannot reach its store'
    return problemOfRefusal(refuse('store_unavailable', `${what} for now. ${nextStep[asked]}`))
  }
  return problemOfRefusal(refuse('internal'))
}

const inAMoment = `in ${storeRetrySeconds} s`
const nextStep: Readonly<Record<Asked, string>> = {
  read: `Try again ${inAMoment}.`,
  change: `What was asked may have been done all the same: look, or try again ${inAMoment}.`,
  submit: `The job may have been taken all the same: send it again ${inAMoment}, with the same idempotency key; without one it may then run twice.`,
}

function storeFull(): Refusal {
  const message = `Nothing was taken in, and what is there goes on; try again in ${fullRetryMs / 1_000} s, or make room.`
  return refuse('store_full', message, { retryAfterMs: fullRetryMs })
}

export function problemOf(answer: unknown, asked: Asked = 'change'): ProblemBody {
  return isRefusal(answer) ? problemOfRefusal(answer) : problemOfFault(answer, asked)
}

/** For what is refused at the edge itself, where no rule of the domain was reached. */
export function refusedHere(code: RefusalCode, message?: string, details?: Record<string, unknown>): Refusal {
  return refuse(code, message, details)
}

function headOf(code: string): Pick<ProblemBody, 'type' | 'code'> {
  return { type: `urn:millrace:problem:${code}`, code }
}
