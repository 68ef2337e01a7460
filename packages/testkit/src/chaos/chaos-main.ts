// npm run chaos: a real cluster on each store under real faults; ends with 1 when a single history is not as promised.

import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chaosHelp, readChaosArguments } from './chaos-options.ts'
import { chaosJson, chaosLines } from './chaos-report.ts'
import { runStoreChaos } from './chaos-store.ts'
import type { ChaosOutcome } from './run-chaos.ts'

if (process.argv.includes('--help')) {
  console.log(chaosHelp)
  process.exit(0)
}
const asked = readChaosArguments(process.argv.slice(2), randomInt(2 ** 32))
if (typeof asked === 'string') {
  console.error(`${asked}\n\n${chaosHelp}`)
  process.exit(2)
}
const { seed, json, stores, rounds, minutes } = asked
const folder = mkdtempSync(join(tmpdir(), 'millrace-chaos-'))
const outcomes: ChaosOutcome[] = []
if (!json) console.log(`seed ${seed}; to have these faults again: npm run chaos -- --seed ${seed}`)
// Whatever ends the run itself must not take along what it was about.
process.once('uncaughtExceptionMonitor', () => console.error(`ledgers and logs are in ${folder}`))
for (const store of stores) {
  const begun = performance.now()
  const outcome = await runStoreChaos({
    store,
    seed,
    rounds,
    minutes,
    folder: join(folder, store),
    onIncident: ({ kind, target, from, until }) => {
      const at = ((performance.now() - begun) / 1_000).toFixed(1)
      if (!json) console.log(`${at.padStart(7)} s  ${kind} of ${target} for ${until - from} ms is over`)
    },
  })
  outcomes.push(outcome)
  if (!json) console.log(chaosLines(seed, outcome).join('\n'))
}
if (json) console.log(chaosJson(seed, outcomes))
const isClean = outcomes.every(({ findings }) => findings.length === 0)
if (isClean) rmSync(folder, { recursive: true, force: true })
process.exit(isClean ? 0 : 1)
