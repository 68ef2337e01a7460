// A plan that ends: after so many rounds, and not before its time is over.

import type { Dice } from '../seeded-dice.ts'
import { type Fault, type FaultKind, planFaults } from './fault-plan.ts'

export function* limitedPlan(
  dice: Dice,
  kinds: readonly FaultKind[],
  rounds: number,
  isTimeOver: () => boolean,
): Generator<Fault> {
  let count = 0
  for (const fault of planFaults(dice, kinds)) {
    if (count >= rounds * kinds.length && isTimeOver()) return
    count += 1
    yield fault
  }
}
