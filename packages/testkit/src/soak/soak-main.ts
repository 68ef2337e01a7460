// npm run soak: half of what a server and a worker can do, for a long time; ends with 1 when something grows without end.

import { runSoak, type SoakOutcome } from './run-soak.ts'
import type { Figure } from './soak-figures.ts'
import { readSoakArguments, soakHelp } from './soak-options.ts'
import { shown, soakJson, soakLines } from './soak-report.ts'

if (process.argv.includes('--help')) {
  console.log(soakHelp)
  process.exit(0)
}
const asked = readSoakArguments(process.argv.slice(2))
if (typeof asked === 'string') {
  console.error(`${asked}\n\n${soakHelp}`)
  process.exit(2)
}
const { minutes, stores, json, planted } = asked
const tellEveryMs = 30_000
const outcomes: SoakOutcome[] = []
for (const store of stores) {
  let toldAt = Number.NEGATIVE_INFINITY
  const outcome = await runSoak({
    store,
    runMs: minutes * 60_000,
    leaks: planted,
    onLook: (atMs, figures) => {
      if (json || atMs - toldAt < tellEveryMs) return
      toldAt = atMs
      const texts = (Object.entries(figures) as [Figure, number][]).map(
        ([figure, value]) => `${figure} ${shown(figure, value)}`,
      )
      console.log(`${store} ${(atMs / 60_000).toFixed(1).padStart(5)} min  ${texts.join(', ')}`)
    },
  })
  outcomes.push(outcome)
  if (!json) console.log(soakLines(outcome).join('\n'))
}
if (json) console.log(soakJson(outcomes))
process.exit(outcomes.every(({ findings }) => findings.length === 0) ? 0 : 1)
