// Which faults, in which order, against whom and for how long: all of it from the seed. When exactly a signal meets a
// process cannot be replayed; that the same signals come in the same order can.

import { leaseMs } from '@millrace/domain'
import type { Dice } from '../seeded-dice.ts'

export type FaultKind =
  | 'kill-server'
  | 'kill-worker'
  | 'kill-runner'
  | 'kill-redis'
  | 'stop-server'
  | 'stop-worker'
  | 'stop-redis'
  | 'skew-clock'
  | 'cut-socket'
  | 'half-open'
  | 'slow-link'

export const redisFaults: readonly FaultKind[] = [
  'kill-server',
  'kill-worker',
  'kill-runner',
  'kill-redis',
  'stop-server',
  'stop-worker',
  'stop-redis',
  'skew-clock',
  'cut-socket',
  'half-open',
  'slow-link',
]

/** A single server has no replica whose clock could differ from the store's: the store's clock is its own. */
export const sqliteFaults: readonly FaultKind[] = redisFaults.filter(
  (kind) => !['kill-redis', 'stop-redis', 'skew-clock'].includes(kind),
)

export interface Fault {
  readonly kind: FaultKind
  /** Counted over those of its kind, and wrapped around: 7 of 4 workers is the fourth. */
  readonly target: number
  /** How long until what was killed is started again, what was stopped goes on, and what was broken is healed. */
  readonly lastsMs: number
  /** How long after the beginning of the fault before it. */
  readonly afterMs: number
  /** For the faults that come in several ways, such as which direction falls silent. */
  readonly flavour: number
}

/** Shorter than the grace, so that everybody is taken back; and longer than a lease, so that nobody is. */
const spans: Readonly<Record<FaultKind, readonly [short: Span, long: Span]>> = {
  'kill-server': [span(200, 1_500), span(4_000, 9_000)],
  'kill-worker': [span(200, 1_000), span(leaseMs + 1_000, leaseMs + 4_000)],
  'kill-runner': [span(0, 0), span(0, 0)],
  'kill-redis': [span(200, 1_500), span(4_000, 9_000)],
  'stop-server': [span(1_000, 4_000), span(leaseMs + 1_000, leaseMs + 4_000)],
  'stop-worker': [span(1_000, 6_000), span(leaseMs + 1_000, leaseMs + 6_000)],
  'stop-redis': [span(500, 3_000), span(6_000, 10_000)],
  'skew-clock': [span(500, 1_000), span(500, 1_000)],
  'cut-socket': [span(0, 0), span(0, 0)],
  'half-open': [span(2_000, 6_000), span(leaseMs + 1_000, leaseMs + 4_000)],
  'slow-link': [span(2_000, 5_000), span(5_000, 9_000)],
}

interface Span {
  readonly leastMs: number
  readonly mostMs: number
}

function span(leastMs: number, mostMs: number): Span {
  return { leastMs, mostMs }
}

/** Round after round without an end; each has every kind once, in an order of its own, by turns short and long. */
export function* planFaults(dice: Dice, kinds: readonly FaultKind[]): Generator<Fault> {
  for (let round = 0; ; round++) {
    for (const kind of dice.shuffled(kinds)) {
      // Some begin short and some long, so that even two rounds have both of each kind.
      const { leastMs, mostMs } = spans[kind][(round + kinds.indexOf(kind)) % 2 === 0 ? 0 : 1]
      yield {
        kind,
        target: dice.whole(0, 11),
        lastsMs: dice.whole(leastMs, mostMs),
        afterMs: dice.whole(1_000, 4_000),
        flavour: dice.whole(0, 59),
      }
    }
  }
}
