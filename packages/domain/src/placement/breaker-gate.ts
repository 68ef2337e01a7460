// A breaker as placement sees it at one instant.

import { type Breaker, viewBreaker } from '../breaker/breaker.ts'
import type { BreakerGate } from './snapshot.ts'

/** Null: it is closed, and nothing stands in the way. */
export function breakerGate(breaker: Breaker, now: number): BreakerGate | null {
  const state = viewBreaker(breaker, now)
  if (state === 'half_open' || state === 'probing') return { state }
  return breaker.state === 'open' ? { state: 'open', until: breaker.openUntil } : null
}
