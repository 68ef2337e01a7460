// That nobody loses a lease for what the servers did: while every server had just started or had just stood still, no
// worker that lived on may have been declared lost before a full grace period was over.

import { graceMs } from '@millrace/domain'
import type { Incident } from '../fault/inflict.ts'
import type { Evidence, Finding, JobStory } from './evidence.ts'

/** A server or a Redis that was away for less may not have missed a beat; a server that starts has missed all. */
const standstillMs = 8_000

/** Between reading a clock here and the store's own writing of it. */
const slackMs = 1_000

export function checkLeases({ jobs, incidents, servers }: Evidence): readonly Finding[] {
  const findings: Finding[] = []
  for (const story of jobs.values()) {
    for (const attempt of story.attempts) {
      if (!wasLostWhileRunning(attempt) || wasKilled(incidents, attempt)) continue
      const steadyMs = steadyFor(incidents, servers, attempt.endedAt ?? 0)
      if (steadyMs >= graceMs - slackMs) continue
      const what = `${attempt.worker} lost it ${steadyMs} ms after the servers came back; the grace is ${graceMs} ms`
      findings.push({ rule: 'X9', job: story.id, what })
    }
  }
  return findings
}

type Attempt = JobStory['attempts'][number]

/** One that was never started may have been given back because nobody was there to be given it. */
function wasLostWhileRunning({ outcome, startedAt }: Attempt): boolean {
  return outcome === 'worker_lost' && startedAt !== undefined
}

/** A worker that begins anew gives back what its last life ran, at once and rightly. */
function wasKilled(incidents: readonly Incident[], { worker, assignedAt, endedAt = 0 }: Attempt): boolean {
  return incidents.some(
    ({ kind, target, from }) =>
      kind === 'kill-worker' && target === worker && from >= assignedAt && from <= endedAt,
  )
}

/** For how long the steadiest of the servers had been up without a gap. */
export function steadyFor(incidents: readonly Incident[], servers: readonly string[], at: number): number {
  return Math.max(
    ...servers.map((server) => {
      const gaps = incidents.filter((incident) => isGapOf(server, incident) && incident.until <= at)
      return at - Math.max(Number.NEGATIVE_INFINITY, ...gaps.map(({ until }) => until))
    }),
  )
}

function isGapOf(server: string, { kind, target, from, until }: Incident): boolean {
  if (target === 'redis') return until - from >= standstillMs
  return target === server && (kind !== 'stop-server' || until - from >= standstillMs)
}
