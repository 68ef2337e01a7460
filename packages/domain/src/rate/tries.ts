// How often somebody may try what is mostly guessed wrong. Some tries are free; each further one that fails doubles the
// wait before the next, up to a bound, so that whoever mistyped waits a moment and whoever guesses gets nowhere. A try
// counts as failed from its beginning, or many at once would all be the first.

import { type Refusal, refuse } from '../refusal.ts'

export interface TriesRule {
  /** Failures that cost nothing. */
  readonly free: number
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  /** One failure is forgotten for each stretch of this length. */
  readonly forgetMs: number
  /** What is tried, as a refusal calls it: "sign-ins to this account". */
  readonly of: string
}

export interface Tries {
  readonly failed: number
  /** Until when failures were forgotten. */
  readonly at: number
  readonly waitUntil: number
}

/** Whoever asks again while waiting is refused and changes nothing: the wait ends when it was said to. */
export function beginTry(tries: Tries | null, rule: TriesRule, now: number): Tries | Refusal {
  const { failed, at, waitUntil } = forgotten(tries, rule, now)
  if (now < waitUntil) {
    const retryAfterMs = waitUntil - now
    const message = `The limit of ${rule.free} failed ${rule.of} is used up; wait ${Math.ceil(retryAfterMs / 1_000)} s.`
    return refuse('rate_limited', message, { count: rule.free, retryAfterMs })
  }
  return { failed: failed + 1, at, waitUntil: now + waitAfter(failed + 1, rule) }
}

/** The try was none of the failed ones after all; the wait that it began is over. */
export function succeedTry(tries: Tries, now: number): Tries {
  return { ...tries, failed: Math.max(0, tries.failed - 1), waitUntil: Math.min(tries.waitUntil, now) }
}

/** Whether it says no more than having none: it may be dropped. */
export function isSpent(tries: Tries, rule: TriesRule, now: number): boolean {
  const { failed, waitUntil } = forgotten(tries, rule, now)
  return failed === 0 && waitUntil <= now
}

function waitAfter(failed: number, { free, firstWaitMs, maxWaitMs }: TriesRule): number {
  return failed < free ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (failed - free))
}

function forgotten(tries: Tries | null, { forgetMs }: TriesRule, now: number): Tries {
  if (tries === null) return { failed: 0, at: now, waitUntil: now }
  const stretches = Math.floor(Math.max(0, now - tries.at) / forgetMs)
  const failed = Math.max(0, tries.failed - stretches)
  return { ...tries, failed, at: failed === 0 ? Math.max(now, tries.at) : tries.at + stretches * forgetMs }
}
