// A breaker for screens, and for the log.

import { type BreakerView, breakerOf, type Extension, extensionKey, viewBreaker } from '@millrace/domain'
import type { BreakerChange } from './breakers.ts'

export interface SeenBreaker {
  readonly state: BreakerView
  /** Null while it has never opened. */
  readonly since: number | null
  /** When it lets one job through, or gives up waiting for the one that it let through. */
  readonly until: number | null
}

export function seenBreaker(extension: Extension, now: number): SeenBreaker {
  const breaker = breakerOf(extension)
  const state = viewBreaker(breaker, now)
  return { state, since: extension.breaker?.since ?? null, until: untilOf(breaker, state) }
}

function untilOf(breaker: ReturnType<typeof breakerOf>, state: BreakerView): number | null {
  if (state === 'open' && breaker.state === 'open') return breaker.openUntil
  return state === 'probing' && breaker.state === 'probing' ? breaker.probeUntil : null
}

export function breakerSentence({ id, room, breaker, view }: BreakerChange): string {
  const whose = `breaker of ${extensionKey(id)}${room === null ? '' : ` in ${room}`}`
  if (view === 'half_open') return `${whose}: half-open again, what was tried ended without a verdict`
  switch (breaker.state) {
    case 'closed':
      return `${whose}: closed, its jobs go on`
    case 'open':
      return `${whose}: open until ${new Date(breaker.openUntil).toISOString()}, it failed too often in a row`
    case 'probing':
      return `${whose}: one job is tried, its end is waited for until ${new Date(breaker.probeUntil).toISOString()}`
  }
}
