// What a run has to say, for the eye or as JSON.

import type { ChaosOutcome } from './run-chaos.ts'

/** So many are shown; the rest is in the folder. */
const shownFindings = 20

export function chaosLines(seed: number, outcome: ChaosOutcome): readonly string[] {
  const { store, faults, findings, folder } = outcome
  const kinds = Object.entries(faults).map(([kind, count]) => `${kind} ${count}`)
  const total = Object.values(faults).reduce((sum, count) => sum + count, 0)
  return [
    `${store}: seed ${seed}, ${(outcome.durationMs / 1_000).toFixed(0)} s`,
    `  jobs              ${outcome.jobs}`,
    `  faults            ${total}: ${kinds.sort().join(', ')}`,
    `  lost              ${outcome.lost}`,
    `  double_applied    ${outcome.doubleApplied}`,
    `  extra executions  ${outcome.extraExecutions}`,
    `  locks held        ${outcome.holdings}`,
    `  log lines         ${outcome.logLines}`,
    `  longest stall     ${seconds(outcome.longestStallMs)} (bound ${seconds(outcome.stallBoundMs)})`,
    `  longest loss      ${seconds(outcome.longestLossMs)} (the same bound)`,
    ...findings.slice(0, shownFindings).map(({ rule, job = '', what }) => `  [${rule}] ${job} ${what}`),
    ...(findings.length > shownFindings ? [`  … and ${findings.length - shownFindings} more`] : []),
    ...(findings.length > 0 ? [`  ledgers and logs  ${folder}`] : []),
  ]
}

export function chaosJson(seed: number, outcomes: readonly ChaosOutcome[]): string {
  const runs = outcomes.map(({ doubleApplied, folder, ...rest }) => ({
    ...rest,
    double_applied: doubleApplied,
    ...(rest.findings.length > 0 && { folder }),
  }))
  return JSON.stringify({ seed, runs })
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
