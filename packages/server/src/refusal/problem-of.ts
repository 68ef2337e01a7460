// A refusal or a fault as the wire tells it (RFC 9457). What a fault says of itself stays in the log: to the caller it is
// our mistake, or a store that cannot be reached for now.

import { isRefusal, type Refusal, type RefusalEntry, refusalCatalogue } from '@millrace/domain'
import { StoreUnavailable } from '../ports/store-unavailable.ts'

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

export function problemOfRefusal({ refused, message, details }: Refusal): ProblemBody {
  const entry: RefusalEntry = refusalCatalogue[refused]
  const problem = { ...headOf(refused), title: entry.meaning, status: entry.status, detail: message }
  return details === undefined ? problem : { ...problem, details: { ...details } }
}

export function problemOfFault(fault: unknown): ProblemBody {
  if (fault instanceof StoreUnavailable) {
    return {
      ...headOf('store_unavailable'),
      title: 'The store cannot be reached.',
      status: 503,
      detail: `Nothing was guessed and nothing is lost; try again in ${storeRetrySeconds} s.`,
    }
  }
  return {
    ...headOf('internal'),
    title: 'Millrace made a mistake.',
    status: 500,
    detail: 'The server log has the cause.',
  }
}

export function problemOf(answer: unknown): ProblemBody {
  return isRefusal(answer) ? problemOfRefusal(answer) : problemOfFault(answer)
}

function headOf(code: string): Pick<ProblemBody, 'type' | 'code'> {
  return { type: `urn:millrace:problem:${code}`, code }
}
