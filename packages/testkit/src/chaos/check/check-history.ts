// All checks over the evidence of a run, and the figures that are printed about it. Pure: the same evidence gives the
// same verdict, so a planted bad history proves that each check sees.

import { checkEnds } from './check-ends.ts'
import { checkExecutions, extraExecutions } from './check-executions.ts'
import { checkFeed } from './check-feed.ts'
import { checkLeases } from './check-leases.ts'
import { checkLocks, holdingsOf } from './check-locks.ts'
import { checkLogs } from './check-logs.ts'
import { checkSubmits } from './check-submits.ts'
import type { Evidence, Finding } from './evidence.ts'
import { checkLosses, longestLossMs } from './losses.ts'
import { checkStalls, longestStallMs } from './stalls.ts'

export interface Verdict {
  readonly jobs: number
  readonly lost: number
  readonly doubleApplied: number
  readonly extraExecutions: number
  /** How many times a handler was given a lock, and how many lines of theirs were kept. */
  readonly holdings: number
  readonly logLines: number
  readonly longestStallMs: number
  readonly longestLossMs: number
  readonly findings: readonly Finding[]
}

const checks: readonly ((evidence: Evidence) => readonly Finding[])[] = [
  checkSubmits,
  checkEnds,
  checkExecutions,
  checkFeed,
  checkLeases,
  checkLocks,
  checkLogs,
  checkStalls,
  checkLosses,
  ({ crashes }) =>
    crashes.map(({ station, lastWords }) => ({
      rule: 'X11',
      what: `${station} ended by itself: ${lastWords}`,
    })),
]

export function checkHistory(evidence: Evidence): Verdict {
  const findings = checks.flatMap((check) => check(evidence))
  const jobsOf = (...rules: readonly string[]): number =>
    new Set(findings.filter(({ rule }) => rules.includes(rule)).map(({ job }) => job)).size
  return {
    jobs: evidence.jobs.size,
    lost: jobsOf('X1'),
    doubleApplied: jobsOf('X3', 'X4', 'X51', 'X53'),
    extraExecutions: extraExecutions(evidence),
    holdings: holdingsOf(evidence.executions).length,
    logLines: [...evidence.jobs.values()].reduce((sum, { log }) => sum + log.length, 0),
    longestStallMs: longestStallMs(evidence.jobs.values()),
    longestLossMs: longestLossMs(evidence),
    findings,
  }
}
