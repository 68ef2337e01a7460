// Against the clients' ledger: nothing that was acknowledged is lost, a key is one job, and only what somebody asked to
// cancel is cancelled.

import { isEnd } from '../load/room-reader.ts'
import type { Evidence, Finding } from './evidence.ts'

export function checkSubmits({ clients, jobs }: Evidence): readonly Finding[] {
  const acknowledged = clients.filter((line) => line.step === 'acknowledged')
  const jobOfKey = new Map<string, string>()
  const findings: Finding[] = []
  for (const { key, job, room } of acknowledged) {
    const before = jobOfKey.get(key)
    if (before !== undefined && before !== job)
      findings.push({ rule: 'X2', job, what: `${key} was answered with ${before} before` })
    jobOfKey.set(key, job)
    const story = jobs.get(job)
    if (!story) findings.push({ rule: 'X1', job, what: `acknowledged in ${room} and not there` })
    else if (!isEnd(story.status))
      findings.push({ rule: 'X1', job, what: `acknowledged and still ${story.status}` })
  }
  const asked = new Set(
    clients.filter(({ step }) => step === 'cancel').map((line) => 'job' in line && line.job),
  )
  for (const { id, status } of jobs.values()) {
    if (status === 'cancelled' && !asked.has(id))
      findings.push({ rule: 'X6', job: id, what: 'cancelled, and nobody asked for it' })
  }
  return [...findings, ...checkStrangers(clients, jobs)]
}

/** As many jobs as keys: more would mean that something sent again was taken for something new. */
function checkStrangers(clients: Evidence['clients'], jobs: Evidence['jobs']): readonly Finding[] {
  const keys = new Set(
    clients.filter(({ step }) => step === 'submit').map((line) => 'key' in line && line.key),
  )
  return jobs.size > keys.size
    ? [{ rule: 'X2', what: `${keys.size} keys were submitted and there are ${jobs.size} jobs` }]
    : []
}
