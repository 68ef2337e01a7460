// Hands committed assignments to their workers. One that has gone meanwhile leaves its jobs to be returned.

import type { Job, WorkerId } from '@millrace/domain'
import type { Hold, Roster } from '../worker/roster.ts'

/** For each of the jobs a slot was reserved. Answers those that nobody was there to take. */
export function handOut(roster: Roster, hold: Hold, jobs: readonly Job[]): readonly Job[] {
  const gone: Job[] = []
  for (const [worker, its] of byWorker(jobs)) {
    const stationed = roster.get(worker)
    if (!stationed) {
      gone.push(...its)
      continue
    }
    for (const { submission, attempt } of its) {
      if (!attempt) continue
      roster.beginReserved(worker, { job: submission.id, token: attempt.token, ...hold })
    }
    gone.push(...stationed.channel.assign(its))
  }
  return gone
}

function byWorker(jobs: readonly Job[]): ReadonlyMap<WorkerId, Job[]> {
  const groups = new Map<WorkerId, Job[]>()
  for (const job of jobs) {
    if (!job.attempt) continue
    const group = groups.get(job.attempt.worker)
    if (group) group.push(job)
    else groups.set(job.attempt.worker, [job])
  }
  return groups
}
