// What enemies cost somebody who does nothing wrong: the p95 of a quiet room's jobs (submit to the word that they are done)
// while an attack is under way, divided by the p95 just before it in the same run. Each attack of the hostile tests is
// measured three times, and the median counts; the bar is 2. The attackers run on the same machine, where in life they have
// their own; they have the lowest priority, so that the server and the canary do not stand in line with them for a core.

import { constants, setPriority } from 'node:os'
import { type HostileCase, HostileScene } from '@millrace/testkit'
import { hostileCases } from '@millrace/testkit/hostile'
import type { Bench, Figures } from './bench.ts'
import { median, quantile } from './figures.ts'

/** Of the quiet room, before an attack and during it: the five slowest lie above p95. */
const watchedJobs = 100
const rounds = 3

export const bench: Bench = {
  name: 'hostile',
  async run(report): Promise<Figures> {
    const scene = await HostileScene.open([])
    setPriority(constants.priority.PRIORITY_LOW)
    const ratios: Record<string, number> = {}
    try {
      await scene.canary.next(watchedJobs)
      for (const each of hostileCases)
        ratios[`${each.name}_p95_vs_before`] = await ratioOf(scene, each, report)
    } finally {
      await scene.close()
    }
    return { worst_p95_vs_before: Math.max(...Object.values(ratios)), ...ratios }
  },
}

async function ratioOf(
  scene: HostileScene,
  { name, attack }: HostileCase,
  report: (line: string) => void,
): Promise<number> {
  const told: string[] = []
  const ratios: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const before = quantile(await scene.canary.next(watchedJobs), 0.95)
    const during = quantile(await scene.during(attack, watchedJobs), 0.95)
    told.push(`${before.toFixed(1)} → ${during.toFixed(1)}`)
    ratios.push(during / before)
  }
  report(`${name}: p95 in ms ${told.join(', ')}`)
  // A figure about a server that broke would be worthless.
  const broken = [...scene.outrages, ...scene.canary.troubles]
  if (broken.length > 0) throw new Error(broken.join('\n'))
  return median(ratios)
}
