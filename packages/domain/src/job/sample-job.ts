// Jobs in every status, for tests. They are made by walking the lifecycle, never by hand, so they cannot be jobs that
// the table would not make.

import type { AttemptToken, JobId, RoomName, SchemaHash, UserName, WorkerId } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { prepareAttempt } from './attempt.ts'
import type { Job, JobStatus, Submission } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEvent, JobEventOf, JobEventType } from './job-event.ts'
import { defaultPolicy, type JobPolicy } from './policy.ts'
import { submit } from './submit.ts'
import { transition } from './transition.ts'

export const sampleStart = 1_000_000
export const sampleToken: AttemptToken = 'token-1' as AttemptToken
export const sampleWorker: WorkerId = 'worker-1' as WorkerId
export const sampleUser: UserName = 'ada' as UserName

export function sampleSubmission(
  changes: Partial<Submission> = {},
  policy: Partial<JobPolicy> = {},
): Submission {
  return {
    id: 'job-1' as JobId,
    room: 'lab' as RoomName,
    scope: 'room',
    category: 'modifiers',
    extension: 'Rotate',
    schemaHash: 'hash-1' as SchemaHash,
    data: { angle: 90 },
    submitter: sampleUser,
    priority: 5,
    createdAt: sampleStart,
    policy: { ...defaultPolicy, ...policy },
    ...changes,
  }
}

/** The transition a test expects to happen; a refusal is a failed test. */
export function granted(answer: Transition | Refusal): Transition {
  if (isRefusal(answer)) throw new Error(`Refused: ${answer.refused}: ${answer.message}`)
  return answer
}

export function pendingJob(changes: Partial<Submission> = {}, policy: Partial<JobPolicy> = {}): Job {
  return granted(submit(sampleSubmission(changes, policy))).next
}

/** Applies events one second after another, starting one second after the submission. */
export function walk(job: Job, ...events: readonly JobEvent[]): Job {
  return events.reduce(
    (current, event, step) => granted(transition(current, event, sampleStart + 1_000 * (step + 1), 0)).next,
    job,
  )
}

export function assignTo(
  token: AttemptToken,
  now: number,
  worker: WorkerId = sampleWorker,
): JobEventOf<'assign'> {
  return { type: 'assign', attempt: prepareAttempt({ token, worker, now, acceptMs: defaultPolicy.acceptMs }) }
}

export function assignedJob(changes: Partial<Submission> = {}, policy: Partial<JobPolicy> = {}): Job {
  return walk(pendingJob(changes, policy), assignTo(sampleToken, sampleStart + 1_000))
}

export function runningJob(changes: Partial<Submission> = {}, policy: Partial<JobPolicy> = {}): Job {
  return walk(pendingJob(changes, policy), assignTo(sampleToken, sampleStart + 1_000), sampleEvents.start)
}

export const sampleEvents: { readonly [Type in JobEventType]: JobEventOf<Type> } = {
  assign: assignTo('token-2' as AttemptToken, sampleStart + 5_000),
  ready: { type: 'ready' },
  start: { type: 'start', token: sampleToken },
  reject: { type: 'reject', token: sampleToken, reason: 'busy' },
  progress: { type: 'progress', token: sampleToken, fraction: 0.5, message: 'half' },
  complete: { type: 'complete', token: sampleToken },
  fail: { type: 'fail', token: sampleToken, retryable: true, error: { message: 'boom', stack: 'at boom' } },
  resume: { type: 'resume', token: sampleToken },
  worker_lost: { type: 'worker_lost', token: sampleToken },
  server_stop: { type: 'server_stop', token: sampleToken },
  cancel: { type: 'cancel', by: sampleUser },
  cancel_stage: { type: 'cancel_stage', token: sampleToken, stage: 'stopped' },
  cancel_grace_passed: { type: 'cancel_grace_passed' },
  acceptance_passed: { type: 'acceptance_passed' },
  execution_passed: { type: 'execution_passed' },
  run_by_passed: { type: 'run_by_passed' },
  redrive: { type: 'redrive', as: 'job-2' as JobId },
  expire: { type: 'expire' },
}

export const fatalFailure: JobEventOf<'fail'> = { ...sampleEvents.fail, retryable: false }

export const sampleJobs: { readonly [Status in JobStatus]: Job } = {
  pending: pendingJob(),
  assigned: assignedJob(),
  running: runningJob(),
  completed: walk(runningJob(), sampleEvents.complete),
  failed: walk(runningJob(), fatalFailure),
  cancelled: walk(runningJob(), sampleEvents.cancel, sampleEvents.cancel_stage),
}
