// What a soak has to say, for the eye or as JSON.

import type { Growth } from './growth.ts'
import type { SoakOutcome } from './run-soak.ts'
import type { Figure } from './soak-figures.ts'

const mb = 2 ** 20
const said = {
  flat: 'flat',
  grows: 'GROWS',
  short: 'not judged: too little time after its warm-up',
} as const

export function soakLines(outcome: SoakOutcome): readonly string[] {
  const { store, minutes, measured, rate, submitted, ended, figures, findings } = outcome
  const ends = Object.entries(ended).map(([status, count]) => `${count} ${status}`)
  return [
    `${store}: ${minutes.toFixed(1)} min at ${rate.toFixed(0)} jobs/s, half of ${measured.toFixed(0)}`,
    `  jobs  ${submitted} submitted: ${ends.sort().join(', ')}`,
    `  ${'figure'.padEnd(16)}${['first', 'last', 'grown', 'allowed'].map((each) => each.padStart(11)).join('')}`,
    ...(Object.entries(figures) as [Figure, Growth][]).map(([figure, growth]) => lineOf(figure, growth)),
    ...findings.map((finding) => `  FOUND ${finding}`),
  ]
}

export function soakJson(outcomes: readonly SoakOutcome[]): string {
  return JSON.stringify({ runs: outcomes })
}

export function shown(figure: Figure, value: number): string {
  const isBytes = /heap|memory|bytes/.test(figure)
  return isBytes ? `${(value / mb).toFixed(1)} MB` : value.toFixed(0)
}

function lineOf(figure: Figure, { first, last, grown, allowed, verdict }: Growth): string {
  const judged = verdict === 'short' ? ['–', '–'] : [shown(figure, grown), shown(figure, allowed)]
  const columns = [shown(figure, first), shown(figure, last), ...judged].map((each) => each.padStart(11))
  return `  ${figure.padEnd(16)}${columns.join('')}  ${said[verdict]}`
}
