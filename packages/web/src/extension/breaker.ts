// The breaker of an extension: whether it was stopped because it kept failing, and until when.

import { type ParamsOf, routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'

export interface BreakerView {
  /** Half-open: one job is about to be tried. Probing: it is being tried. */
  readonly state: 'closed' | 'open' | 'half_open' | 'probing'
  readonly since: number | null
  readonly until: number | null
}

export const closedBreaker: BreakerView = { state: 'closed', since: null, until: null }

const severity = { closed: 0, probing: 1, half_open: 2, open: 3 } as const

export function worseBreaker(a: BreakerView, b: BreakerView): BreakerView {
  return severity[b.state] > severity[a.state] ? b : a
}

export async function resetBreaker(extension: ParamsOf<typeof routes.resetBreaker>): Promise<void> {
  await call(routes.resetBreaker, { params: extension })
}
