// What happens to a job by itself, and when. The store keeps one instant per job; when it comes, the event is read
// off the job as it then is, so a deadline that was overtaken does nothing.

import { graceMs } from '../worker/lease.ts'
import { cancelGraceEndsAt } from './cancel.ts'
import type { Job } from './job.ts'
import type { DueEvent } from './job-event.ts'
import { readyAt } from './ready.ts'
import { expiresAt } from './retention.ts'

interface Due {
  readonly at: number
  readonly type: DueEvent['type']
}

/** The next instant at which something happens to the job by itself; null when it may wait for ever. */
export function dueAt(job: Job): number | null {
  let first: number | null = null
  for (const { at } of dues(job)) if (first === null || at < first) first = at
  return first
}

/**
 * `steadySince` is the instant since which server and store have been up without a gap. Of an attempt that is older its
 * worker may have said all in time and to nobody, so its deadlines count only when it had a grace period to say it again.
 */
export function onDue(job: Job, now: number, steadySince = 0): DueEvent | null {
  const due = dues(job).find(({ at, type }) => Math.max(at, heardFrom(job, type, steadySince)) <= now)
  return due === undefined ? null : { type: due.type }
}

function heardFrom({ attempt }: Job, type: DueEvent['type'], steadySince: number): number {
  const isWorkers = type === 'acceptance_passed' || type === 'execution_passed'
  return isWorkers && attempt && attempt.assignedAt < steadySince ? steadySince + graceMs : 0
}

/** In order of precedence: after an outage a job past its `runBy` must not be offered first. */
function dues(job: Job): readonly Due[] {
  const { status, attempt, cancel, submission } = job
  const graceEndsAt = cancel && attempt ? cancelGraceEndsAt(job, cancel) : undefined
  switch (status) {
    case 'pending':
      return [
        ...due(submission.runBy, 'run_by_passed'),
        ...due(job.queued ? undefined : readyAt(job), 'ready'),
      ]
    case 'assigned':
      return [...due(graceEndsAt, 'cancel_grace_passed'), ...due(attempt?.acceptBy, 'acceptance_passed')]
    case 'running':
      return [...due(graceEndsAt, 'cancel_grace_passed'), ...due(attempt?.runUntil, 'execution_passed')]
    default:
      return due(expiresAt(job) ?? undefined, 'expire')
  }
}

function due(at: number | undefined, type: DueEvent['type']): readonly Due[] {
  return at === undefined ? [] : [{ at, type }]
}
