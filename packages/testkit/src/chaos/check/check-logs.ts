// That what a job wrote into its room was applied once, however often it was sent: each line that an execution logged
// has a number of its own and stands once among those that the server kept. That some were lost with their worker is no
// fault.

import { runOfLine } from '../worker/numbered-line.ts'
import type { Evidence, Finding, JobStory } from './evidence.ts'
import { type Run, runsOf } from './runs.ts'

export function checkLogs({ executions, jobs }: Evidence): readonly Finding[] {
  const runs = runsOf(executions)
  return [...jobs.values()].flatMap((story) => [...repeated(story), ...strange(story, runs)])
}

function repeated({ id, log }: JobStory): readonly Finding[] {
  const counts = new Map<string, number>()
  for (const line of log) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([line, count]) => ({ rule: 'X53', job: id, what: `its log has ${count} times: ${line}` }))
}

function strange({ id, log }: JobStory, runs: ReadonlyMap<string, Run>): readonly Finding[] {
  return [...new Set(log)]
    .filter((line) => runs.get(runOfLine(line) ?? '')?.job !== id)
    .map((line) => ({ rule: 'X53', job: id, what: `its log has what no execution of it wrote: ${line}` }))
}
