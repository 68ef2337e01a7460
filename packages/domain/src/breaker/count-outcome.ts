// What one replica makes of an attempt's end. Whether the breaker lets jobs start stands with the extension, for all
// replicas; how many failures came in a row each counts for itself, so that a job that goes well costs no write.

import { type Breaker, closedBreaker, type EndedOutcome, recordOutcome } from './breaker.ts'
import type { BreakerSettings } from './breaker-settings.ts'

/** A breaker, and the instant at which it became what it is. */
export type StandingBreaker = Breaker & { readonly since: number }

/** Failures in a row while the breaker stood unchanged; a count from before it last changed is worth nothing. */
export interface FailureCount {
  readonly since: number
  readonly failures: number
}

export interface CountedOutcome {
  /** The same reference as before where nothing has to be written. */
  readonly breaker: Breaker
  /** Null: there is nothing to remember. */
  readonly count: FailureCount | null
}

/** Of an extension whose breaker has never opened. */
export const untouchedBreaker: StandingBreaker = { ...closedBreaker, since: 0 }

export function countOutcome(
  standing: StandingBreaker,
  count: FailureCount | null,
  ended: EndedOutcome,
  settings: BreakerSettings,
  now: number,
): CountedOutcome {
  if (standing.state !== 'closed')
    return { breaker: recordOutcome(standing, ended, settings, now), count: null }
  const { since } = standing
  const failures = count?.since === since ? count.failures : 0
  const next = recordOutcome({ state: 'closed', failures }, ended, settings, now)
  if (next.state !== 'closed') return { breaker: next, count: null }
  return { breaker: standing, count: next.failures === 0 ? null : { since, failures: next.failures } }
}
