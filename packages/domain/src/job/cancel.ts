// Cancel: at once while pending; otherwise a request that the worker hears, acknowledges and obeys, or that takes
// effect without it when the grace is over. Each stage is visible.

import { type Refusal, refuse } from '../refusal.ts'
import { endAttempt } from './attempt.ts'
import { endJob } from './end-job.ts'
import { requireAttempt } from './fence.ts'
import { record } from './history.ts'
import type { CancelRequest, CancelStage, Job } from './job.ts'
import { alreadyApplied, attemptEnded, quietly, stopAttempt, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

/** Stopped and killed are both the end, so neither follows the other. */
const stageRank: Readonly<Record<CancelStage, number>> = {
  requested: 0,
  delivered: 1,
  acknowledged: 2,
  stopped: 3,
  killed: 3,
}

export function cancelPending(job: Job, { by }: JobEventOf<'cancel'>, now: number): Transition {
  const cancel: CancelRequest = { by, requestedAt: now, stage: 'stopped', stageAt: now }
  return quietly(endJob({ ...job, cancel }, { status: 'cancelled', reason: 'cancelled', by }, now))
}

export function requestCancel(job: Job, { by }: JobEventOf<'cancel'>, now: number): Transition {
  if (job.cancel) return alreadyApplied(job)
  const cancel: CancelRequest = { by, requestedAt: now, stage: 'requested', stageAt: now }
  const history = record(job, { at: now, status: job.status, reason: 'cancel requested', by })
  return { next: { ...job, cancel, history }, effects: [stopAttempt(requireAttempt(job), 'abort')] }
}

export function cancelStage(
  job: Job,
  { stage }: JobEventOf<'cancel_stage'>,
  now: number,
): Transition | Refusal {
  if (job.cancel === undefined) return refuse('cancel_not_requested')
  if (!isNews(job.cancel, stage)) return alreadyApplied(job)
  const cancel: CancelRequest = { ...job.cancel, stage, stageAt: now }
  if (stage === 'stopped' || stage === 'killed') return endCancelled({ ...job, cancel }, cancel, stage, now)
  const by = requireAttempt(job).worker
  const history = record(job, { at: now, status: job.status, reason: `cancel ${stage}`, by })
  return quietly({ ...job, cancel, history })
}

/** A job whose grace ran out has ended, but how its last attempt came to rest is still worth knowing. */
export function lateCancelStage(job: Job, { stage }: JobEventOf<'cancel_stage'>, now: number): Transition {
  if (job.cancel === undefined || !isNews(job.cancel, stage)) return alreadyApplied(job)
  return quietly({ ...job, cancel: { ...job.cancel, stage, stageAt: now } })
}

export function cancelGracePassed(
  job: Job,
  _event: JobEventOf<'cancel_grace_passed'>,
  now: number,
): Transition | Refusal {
  if (job.cancel === undefined) return refuse('cancel_not_requested')
  if (now < cancelGraceEndsAt(job, job.cancel)) return refuse('job_not_due')
  const { next, effects } = endCancelled(job, job.cancel, 'the worker did not stop in time', now)
  return { next, effects: [...effects, stopAttempt(requireAttempt(job), 'kill')] }
}

/** Counted from the last stage: a worker has the whole grace from the moment it heard. */
export function cancelGraceEndsAt(job: Job, cancel: CancelRequest): number {
  return cancel.stageAt + job.submission.policy.cancelGraceMs
}

function endCancelled(job: Job, { by }: CancelRequest, how: string, now: number): Transition {
  const attempt = requireAttempt(job)
  const over = endAttempt(job, attempt, { outcome: 'cancelled' }, now)
  return {
    next: endJob(over, { status: 'cancelled', reason: `cancelled: ${how}`, by }, now),
    effects: [attemptEnded(attempt, 'cancelled')],
  }
}

function isNews(cancel: CancelRequest, stage: CancelStage): boolean {
  return stageRank[stage] > stageRank[cancel.stage]
}
