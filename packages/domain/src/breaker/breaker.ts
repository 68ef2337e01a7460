// The breaker of one extension: it stops placing jobs that keep failing, then lets exactly one through to see.
// Half-open is not stored: it is an open breaker whose time has passed, so no timer has to fire for it.

import type { AttemptToken } from '../ids.ts'
import type { AttemptOutcome } from '../job/job.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { BreakerSettings } from './breaker-settings.ts'

export type Breaker =
  | { readonly state: 'closed'; readonly failures: number }
  | { readonly state: 'open'; readonly openUntil: number }
  | { readonly state: 'probing'; readonly probe: AttemptToken; readonly probeUntil: number }

export type BreakerView = 'closed' | 'open' | 'half_open' | 'probing'

export interface EndedOutcome {
  readonly token: AttemptToken
  readonly outcome: AttemptOutcome
}

export const closedBreaker: Breaker = { state: 'closed', failures: 0 }

/** Neutral outcomes say something about a worker, a user or the server, and nothing about the extension. */
export const outcomeWeight: Readonly<Record<AttemptOutcome, 'success' | 'failure' | 'neutral'>> = {
  completed: 'success',
  failed_retryable: 'failure',
  failed_fatal: 'failure',
  timed_out: 'failure',
  rejected: 'neutral',
  not_accepted: 'neutral',
  worker_lost: 'neutral',
  server_stop: 'neutral',
  cancelled: 'neutral',
}

export function viewBreaker(breaker: Breaker, now: number): BreakerView {
  if (breaker.state === 'closed') return 'closed'
  if (breaker.state === 'open') return now < breaker.openUntil ? 'open' : 'half_open'
  return now < breaker.probeUntil ? 'probing' : 'half_open'
}

/** How many jobs of the extension placement may start now. */
export function allows(breaker: Breaker, now: number): 'all' | 'one' | 'none' {
  const view = viewBreaker(breaker, now)
  if (view === 'closed') return 'all'
  return view === 'half_open' ? 'one' : 'none'
}

/**
 * Records the one job that was let through. `probeUntil` is the last instant at which its attempt can still end: were
 * the probe's outcome lost between two commits, the breaker would otherwise wait for it for ever.
 */
export function startProbe(
  breaker: Breaker,
  probe: AttemptToken,
  probeUntil: number,
  now: number,
): Breaker | Refusal {
  const view = viewBreaker(breaker, now)
  if (view === 'half_open') return { state: 'probing', probe, probeUntil }
  if (view === 'closed') return refuse('breaker_closed')
  if (view === 'probing') return refuse('breaker_probing')
  return refuse('breaker_open')
}

/**
 *            5 failures in a row              openMs passed              start
 *   closed ─────────────────────→ open ─────────────────────→ half-open ──────→ probing
 *     ↑                            ↑                              ↑                │
 *     │                            └───────── failure ────────────│────────────────┤
 *     │                                                           └─ neutral, lost ┤
 *     └──────────────────────────── success; reset from anywhere ──────────────────┘
 *
 * Outside `closed` only the probe is listened to: attempts that began before the breaker opened end late, and neither
 * their failures may prolong it nor their successes close it.
 */
export function recordOutcome(
  breaker: Breaker,
  ended: EndedOutcome,
  settings: BreakerSettings,
  now: number,
): Breaker {
  const weight = outcomeWeight[ended.outcome]
  if (breaker.state === 'closed') return recordClosed(breaker, weight, settings, now)
  if (breaker.state === 'open' || breaker.probe !== ended.token) return breaker
  if (weight === 'success') return closedBreaker
  if (weight === 'failure') return { state: 'open', openUntil: now + settings.openMs }
  return { state: 'open', openUntil: now }
}

/** A person has looked and says that it is mended. */
export function resetBreaker(): Breaker {
  return closedBreaker
}

function recordClosed(
  breaker: Extract<Breaker, { state: 'closed' }>,
  weight: 'success' | 'failure' | 'neutral',
  settings: BreakerSettings,
  now: number,
): Breaker {
  if (weight === 'neutral') return breaker
  if (weight === 'success') return breaker.failures === 0 ? breaker : closedBreaker
  const failures = breaker.failures + 1
  return failures < settings.failuresToOpen
    ? { state: 'closed', failures }
    : { state: 'open', openUntil: now + settings.openMs }
}
