// What everybody in a history has in common.

import type { Caller, UserName } from '@millrace/domain'
import type { Ledger } from './ledger.ts'
import type { PlantedBug } from './planted-bug.ts'
import type { SeededDice } from './seeded-dice.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { StoreWeather } from './store-weather.ts'
import type { Trace } from './trace.ts'
import type { VirtualClock } from './virtual-clock.ts'

export interface World {
  readonly clock: VirtualClock
  readonly dice: SeededDice
  readonly trace: Trace
  readonly weather: StoreWeather
  readonly store: SimulatedStore
  readonly ledger: Ledger
  readonly bug: PlantedBug
  /** Something that must never be. */
  readonly problem: (problem: string) => void
}

/** Rights are not what a history is about, so everybody in it is the same admin. */
export const everybody: Caller = { user: 'root' as UserName, role: 'admin' }

/** With a limit on what runs at once, and without. */
export const rooms: readonly { readonly name: string; readonly limit: number | null }[] = [
  { name: 'lab', limit: 3 },
  { name: 'yard', limit: null },
]

export interface SimulatedExtension {
  readonly room?: string
  readonly category: string
  readonly name: string
  readonly schema: Record<string, unknown>
  readonly policy: Record<string, unknown>
}

/** Short deadlines, so that a history of two minutes sees all of them pass. */
export const extensions: readonly SimulatedExtension[] = [
  {
    category: 'analysis',
    name: 'Measure',
    schema: { type: 'object' },
    policy: {
      // Two in a row are not rare, so that breakers open, and probes meet with every fault.
      breaker: { failuresToOpen: 2, openMs: 5_000 },
      job: { acceptMs: 4_000, runLimitMs: 9_000, cancelGraceMs: 3_000, backoffCapMs: 4_000 },
    },
  },
  {
    room: 'lab',
    category: 'modifiers',
    name: 'Relax',
    schema: { type: 'object' },
    policy: { maxRunning: 2, job: { onWorkerLost: 'fail', maxAttempts: 2, backoffCapMs: 4_000 } },
  },
]
