// Gives reserved slots to the first of new jobs, in the order in which their queue would have. The rule is the domain's:
// a job that may not be assigned yet, or not to this worker, stays as it is.

import { type AttemptToken, isRefusal, type Job, prepareAttempt, score, transition } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { ReservedSlots } from './reserved-slots.ts'

/** All of the jobs, in their order, some of them assigned. */
export function assignFirst(jobs: readonly Job[], slots: ReservedSlots, now: number): readonly Job[] {
  const { workers, acceptMs } = slots
  const assigned = new Map<Job, Job>()
  for (const [at, job] of inTurn(jobs).slice(0, workers.length).entries()) {
    const worker = workers[at] as (typeof workers)[number]
    const attempt = prepareAttempt({ token: newId(now) as AttemptToken, worker, now, acceptMs })
    const answer = transition(job, { type: 'assign', attempt }, now, 0)
    if (!isRefusal(answer)) assigned.set(job, answer.next)
  }
  return jobs.map((job) => assigned.get(job) ?? job)
}

/** Ids were made in the order of the submissions, so that equals keep theirs. */
function inTurn(jobs: readonly Job[]): readonly Job[] {
  return jobs.filter(({ queued }) => queued).sort((a, b) => score(a.submission) - score(b.submission))
}
