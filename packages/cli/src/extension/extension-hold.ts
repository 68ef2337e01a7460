// What keeps the jobs of an extension from starting, in words: a pause, or its breaker.

import type { ExtensionView } from '@millrace/protocol'
import { showInstant, showUntil } from '../output/time.ts'

type Held = Pick<ExtensionView, 'paused' | 'breaker'>

const breakerWords: Readonly<Record<ExtensionView['breaker']['state'], string | null>> = {
  closed: null,
  open: 'breaker open',
  half_open: 'breaker half-open',
  probing: 'breaker half-open',
}

/** For a column of a table; null where nothing does. */
export function shortHold({ paused, breaker }: Held): string | null {
  return paused === null ? breakerWords[breaker.state] : 'paused'
}

/** A line for each, for facts. */
export function holdFacts({ paused, breaker }: Held, now: number): readonly (readonly [string, string])[] {
  const sentence = breakerSentence(breaker, now)
  return [
    ...(paused === null ? [] : [['paused', `by ${paused.by} at ${showInstant(paused.at)}`] as const]),
    ...(sentence === null ? [] : [['breaker', sentence] as const]),
  ]
}

function breakerSentence({ state, until }: ExtensionView['breaker'], now: number): string | null {
  switch (state) {
    case 'closed':
      return null
    case 'open':
      return `open, it failed too often in a row; one job is tried ${showUntil(until ?? now, now)}`
    case 'half_open':
      return 'half-open, the next job is tried'
    case 'probing':
      return 'half-open, one job is being tried'
  }
}
