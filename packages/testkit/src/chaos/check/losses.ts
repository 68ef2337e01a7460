// The longest time for which a single job stayed with a worker that had been killed, whatever others did meanwhile.

import type { Incident } from '../fault/inflict.ts'
import { steadyFor } from './check-leases.ts'
import type { Evidence, Finding, JobStory } from './evidence.ts'

interface Loss {
  readonly job: string
  readonly lastedMs: number
}

export function longestLossMs(evidence: Evidence): number {
  return Math.max(0, ...lossesOf(evidence).map(({ lastedMs }) => lastedMs))
}

export function checkLosses(evidence: Evidence): readonly Finding[] {
  const { stallBoundMs } = evidence
  return lossesOf(evidence)
    .filter(({ lastedMs }) => lastedMs > stallBoundMs)
    .map(({ job, lastedMs }) => {
      const what = `it was left with a killed worker for ${lastedMs} ms; the bound is ${stallBoundMs} ms`
      return { rule: 'X54', job, what }
    })
}

function lossesOf({ jobs, incidents, servers }: Evidence): readonly Loss[] {
  return [...jobs.values()].flatMap(({ id, attempts }) =>
    attempts.flatMap((attempt): Loss[] => {
      const { endedAt = 0 } = attempt
      const kill = incidents.find((incident) => endedIts(incident, attempt))
      if (!kill) return []
      // Servers that have just come back owe everybody a grace period, however often they were gone.
      const since = Math.max(kill.from, endedAt - steadyFor(incidents, servers, endedAt))
      return [{ job: id, lastedMs: endedAt - since }]
    }),
  )
}

type Attempt = JobStory['attempts'][number]

function endedIts({ kind, target, from }: Incident, attempt: Attempt): boolean {
  const { worker, assignedAt, endedAt = 0, outcome } = attempt
  const isIts = kind === 'kill-worker' && target === worker && from >= assignedAt && from <= endedAt
  return isIts && outcome === 'worker_lost'
}
