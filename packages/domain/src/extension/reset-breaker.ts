// The breaker as it stands with its extension. Whoever may pause an extension may say that it is mended.

import { type Breaker, resetBreaker } from '../breaker/breaker.ts'
import { type StandingBreaker, untouchedBreaker } from '../breaker/count-outcome.ts'
import type { Refusal } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import type { Extension, Home } from './extension.ts'
import { steeringRefusal } from './pause.ts'

export function breakerOf({ breaker }: Extension): StandingBreaker {
  return breaker ?? untouchedBreaker
}

/** The same extension where the breaker is the one it has. */
export function withBreaker(extension: Extension, breaker: Breaker, now: number): Extension {
  const before = breakerOf(extension)
  if (breaker === before) return extension
  // Counts are told apart by this instant, so two changes may not share one.
  const since = Math.max(now, before.since + 1)
  return { ...extension, breaker: { ...breaker, since } }
}

/** One that is closed is written anew as well: what replicas have counted so far is thereby forgotten. */
export function resetBreakerOf(
  extension: Extension,
  home: Home,
  who: Caller,
  now: number,
): Extension | Refusal {
  return steeringRefusal(extension, home, who) ?? withBreaker(extension, resetBreaker(), now)
}
