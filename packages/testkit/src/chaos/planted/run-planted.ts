// Runs against a server with a planted bug, until it is found or had its chances.

import { join } from 'node:path'
import { type ChaosOutcome, runChaos } from '../run-chaos.ts'
import { Dice } from '../seeded-dice.ts'
import { plantBug } from './plant-bug.ts'
import type { PlantedBug } from './planted-bug.ts'

/** When exactly a fault meets a process is never the same, so a bug has a few chances to show itself. */
const tries = 3

/** The first outcome with a finding of the bug's own rule, or the last. */
export async function provoke(bug: PlantedBug, folder: string): Promise<ChaosOutcome> {
  const { store, load, faults, foundBy } = bug
  const serverMain = plantBug(join(folder, 'copy'), bug)
  for (let attempt = 1; ; attempt++) {
    const dice = new Dice(attempt)
    const outcome = await runChaos({
      store,
      load,
      faults,
      serverMain,
      dice,
      folder: join(folder, `${attempt}`),
    })
    if (attempt === tries || outcome.findings.some(({ rule }) => rule === foundBy)) return outcome
  }
}
