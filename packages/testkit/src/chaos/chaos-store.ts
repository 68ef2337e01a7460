// The whole storm on one store: every kind of fault that it knows, in the order of the seed.

import { fileURLToPath } from 'node:url'
import { chaosLoad } from './chaos-load.ts'
import { redisFaults, sqliteFaults } from './fault/fault-plan.ts'
import type { Incident } from './fault/inflict.ts'
import { limitedPlan } from './fault/limited-plan.ts'
import { type ChaosOutcome, runChaos } from './run-chaos.ts'
import { Dice } from './seeded-dice.ts'

export interface StoreChaos {
  readonly store: 'redis' | 'sqlite'
  readonly seed: number
  readonly rounds: number
  readonly minutes: number | null
  readonly folder: string
  readonly onIncident?: (incident: Incident) => void
}

export function runStoreChaos({ store, seed, rounds, minutes, ...rest }: StoreChaos): Promise<ChaosOutcome> {
  const dice = new Dice(seed)
  const kinds = store === 'redis' ? redisFaults : sqliteFaults
  const endsAt = performance.now() + (minutes ?? 0) * 60_000
  return runChaos({
    ...rest,
    store,
    dice: dice.fork(),
    load: chaosLoad,
    serverMain: fileURLToPath(import.meta.resolve('@millrace/server/main')),
    faults: limitedPlan(dice, kinds, rounds, () => performance.now() >= endsAt),
  })
}
