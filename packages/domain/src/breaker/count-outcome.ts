// What one replica makes of an attempt's end. Whether the breaker lets jobs start stands with the extension, for all
// replicas; how many failures came in a row each counts for itself, so that a job that goes well costs no write.

import type { AttemptToken } from '../ids.ts'
import { type Breaker, closedBreaker, type EndedOutcome, outcomeWeight, recordOutcome } from './breaker.ts'
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

const probeMark = 'probe-'

/** The token of a probe says so: whichever replica hears its end knows it without looking anything up. */
export function probeToken(id: string): AttemptToken {
  return `${probeMark}${id}` as AttemptToken
}

/** A success that is older says nothing about what fails now. */
const besideMs = 1_000

/** Whether an attempt that was assigned then ran beside one that went well just now. */
export function isBesideSuccess(assignedAt: number, lastSuccessAt: number, now: number): boolean {
  return assignedAt < lastSuccessAt && now - lastSuccessAt < besideMs
}

/**
 * Whether an end may change a breaker, or a count where there is one. Most do not, and nothing is asked for their sake. A
 * failure beside a success tells nothing: of many that end together a worker reports first all that went well and then
 * all that failed, which is no row of failures.
 */
export function isTelling(
  { token, outcome }: EndedOutcome,
  hasCount: boolean,
  isBeside: boolean = false,
): boolean {
  const weight = outcomeWeight[outcome]
  if (weight === 'failure' ? !isBeside : weight === 'success' && hasCount) return true
  return token.startsWith(probeMark)
}

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
