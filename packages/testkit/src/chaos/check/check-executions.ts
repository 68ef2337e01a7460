// Against the handlers' ledger: every execution belongs to an attempt of its worker, and a job that was executed more
// than once had as many attempts that were lost, superseded or failed before.

import type { Evidence, Finding, JobStory } from './evidence.ts'
import { type Run, runsOf } from './runs.ts'

export function checkExecutions({ executions, jobs }: Evidence): readonly Finding[] {
  const findings: Finding[] = []
  for (const [job, runs] of byJob(executions)) {
    const story = jobs.get(job)
    if (story) findings.push(...unexplained(story, runs))
    else findings.push({ rule: 'X5', job, what: 'executed, and the server knows of no such job' })
  }
  return findings
}

export function extraExecutions({ executions }: Pick<Evidence, 'executions'>): number {
  return [...byJob(executions).values()].reduce((sum, runs) => sum + runs.length - 1, 0)
}

function unexplained({ id, attempts }: JobStory, runs: readonly Run[]): readonly Finding[] {
  return [...new Set(runs.map(({ worker }) => worker))].flatMap((worker) => {
    const executed = runs.filter((run) => run.worker === worker).length
    const assigned = attempts.filter((attempt) => attempt.worker === worker).length
    return executed > assigned
      ? [{ rule: 'X5', job: id, what: `${worker} executed it ${executed} times in ${assigned} attempts` }]
      : []
  })
}

function byJob(executions: Evidence['executions']): ReadonlyMap<string, readonly Run[]> {
  const jobs = new Map<string, Run[]>()
  for (const run of runsOf(executions).values()) {
    const runs = jobs.get(run.job)
    if (runs) runs.push(run)
    else jobs.set(run.job, [run])
  }
  return jobs
}
