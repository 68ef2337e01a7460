// That every job ends once, by its own history and by what every reader heard, and that what it ended with came from the
// attempt that was current.

import { isEnd } from '../load/room-reader.ts'
import type { ChaosResult } from '../worker/chaos-extension.ts'
import type { Evidence, Finding, JobStory } from './evidence.ts'
import { type Run, runsOf } from './runs.ts'

export function checkEnds(evidence: Evidence): readonly Finding[] {
  const runs = runsOf(evidence.executions)
  const stories = [...evidence.jobs.values()]
  return [
    ...stories.flatMap(endsOnce),
    ...endsHeard(evidence),
    ...stories.flatMap((story) => resultOfLast(story, runs)),
    ...acceptedTwice(evidence, runs),
  ]
}

function endsOnce({ id, history, attempts }: JobStory): readonly Finding[] {
  const ends = history.filter(({ status }) => isEnd(status))
  const completed = attempts.filter(({ outcome }) => outcome === 'completed')
  return [
    ...(ends.length > 1 ? [{ rule: 'X3', job: id, what: `its history has ${ends.length} ends` }] : []),
    ...(completed.length > 1
      ? [{ rule: 'X3', job: id, what: `${completed.length} of its attempts completed` }]
      : []),
  ]
}

/** Each number once, whoever told it and however often it was heard. */
function endsHeard({ sessions }: Evidence): readonly Finding[] {
  const ends = new Map<string, Set<number>>()
  for (const { batches } of sessions) {
    for (const { sequence, job, status } of batches.flatMap(({ events }) => events)) {
      if (!isEnd(status)) continue
      const numbers = ends.get(job) ?? new Set()
      ends.set(job, numbers.add(sequence))
    }
  }
  return [...ends]
    .filter(([, numbers]) => numbers.size > 1)
    .map(([job, numbers]) => ({ rule: 'X3', job, what: `readers heard ${numbers.size} ends of it` }))
}

/** A result names the execution it came from: by the worker whose attempt completed, and ended before that. */
function resultOfLast({ id, status, result, attempts }: JobStory, runs: ReadonlyMap<string, Run>): Finding[] {
  if (status !== 'completed') return []
  const run = runs.get((result as ChaosResult | undefined)?.run ?? '')
  const last = attempts.at(-1)
  const wrong = (what: string): Finding[] => [{ rule: 'X4', job: id, what }]
  if (!run) return wrong('its result names no execution in the ledger')
  if (run.job !== id) return wrong(`its result is that of ${run.job}`)
  if (run.endedAt === null) return wrong('its result is that of an execution that did not end')
  if (last?.outcome !== 'completed') return wrong(`completed, but its last attempt is ${last?.outcome}`)
  if (last.worker !== run.worker)
    return wrong(`its result came from ${run.worker}, but the attempt that completed was ${last.worker}'s`)
  if (run.begunAt < last.assignedAt - clockSlackMs)
    return wrong(`its result came from an execution begun before the attempt that completed was assigned`)
  return []
}

/** The store's clock and the handlers' are of one machine; a store learns the time of Redis a little later. */
const clockSlackMs = 1_000

/** What the REST worker was told: a completion that was accepted for a job that ended with another. */
function acceptedTwice({ executions, jobs }: Evidence, runs: ReadonlyMap<string, Run>): readonly Finding[] {
  return executions.flatMap((line): Finding[] => {
    if (line.step !== 'answer' || line.answer !== 'completed') return []
    const job = runs.get(line.run)?.job ?? ''
    const result = jobs.get(job)?.result as ChaosResult | undefined
    return result?.run === line.run
      ? []
      : [{ rule: 'X4', job, what: `the completion of ${line.run} was accepted, and the job has another` }]
  })
}
