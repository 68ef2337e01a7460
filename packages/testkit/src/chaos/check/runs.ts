// The executions in the ledger, each put together from its lines.

import type { LedgerLine } from '../worker/ledger.ts'

export interface Run {
  readonly run: string
  readonly job: string
  readonly worker: string
  readonly begunAt: number
  readonly endedAt: number | null
}

export function runsOf(lines: readonly LedgerLine[]): ReadonlyMap<string, Run> {
  const runs = new Map<string, Run>()
  for (const line of lines) {
    if (line.step === 'begin') {
      const { run, job, worker, at } = line
      runs.set(run, { run, job, worker, begunAt: at, endedAt: null })
    } else if (line.step === 'end') {
      const begun = runs.get(line.run)
      if (begun) runs.set(line.run, { ...begun, endedAt: line.at })
    }
  }
  return runs
}
