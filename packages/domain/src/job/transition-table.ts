// For every status and event: who decides and where it may lead, or which refusal it is. Tokens are checked before
// this table is asked, so its rows speak of the current attempt only.

import type { Refusal, RefusalCode } from '../refusal.ts'
import { assign } from './assign.ts'
import { cancelGracePassed, cancelPending, cancelStage, lateCancelStage, requestCancel } from './cancel.ts'
import { acceptancePassed, executionPassed, runByPassed } from './deadline.ts'
import type { Job, JobStatus } from './job.ts'
import { alreadyApplied, type Transition } from './job-effect.ts'
import type { JobEvent, JobEventOf, JobEventType } from './job-event.ts'
import { progress } from './progress.ts'
import { ready } from './ready.ts'
import { redrive, redriveFailed } from './redrive.ts'
import { complete, fail, reject } from './report-outcome.ts'
import { expire } from './retention.ts'
import { resume, start } from './start.ts'
import { serverStop, workerLost } from './worker-lost.ts'

export type Handler<Event extends JobEvent> = (
  job: Job,
  event: Event,
  now: number,
  random: number,
) => Transition | Refusal

export interface Step<Event extends JobEvent> {
  readonly handler: Handler<Event>
  readonly leadsTo: readonly JobStatus[]
}

export type Cell<Event extends JobEvent> = Step<Event> | RefusalCode

export type Row = { readonly [Type in JobEventType]: Cell<JobEventOf<Type>> }

function step<Event extends JobEvent>(
  handler: Handler<Event>,
  ...leadsTo: readonly JobStatus[]
): Step<Event> {
  return { handler, leadsTo }
}

const pendingRow: Row = {
  assign: step(assign, 'assigned'),
  ready: step(ready, 'pending'),
  start: 'attempt_superseded',
  reject: 'attempt_superseded',
  progress: 'attempt_superseded',
  complete: 'attempt_superseded',
  fail: 'attempt_superseded',
  resume: 'attempt_superseded',
  worker_lost: 'attempt_superseded',
  server_stop: 'attempt_superseded',
  cancel: step(cancelPending, 'cancelled'),
  cancel_stage: 'attempt_superseded',
  cancel_grace_passed: 'cancel_not_requested',
  acceptance_passed: 'job_not_assigned',
  execution_passed: 'job_not_running',
  run_by_passed: step(runByPassed, 'failed'),
  redrive: 'job_not_ended',
  expire: 'job_not_ended',
}

const assignedRow: Row = {
  assign: 'job_not_pending',
  ready: 'job_not_pending',
  start: step(start, 'running'),
  reject: step(reject, 'pending', 'failed', 'cancelled'),
  progress: 'job_not_running',
  complete: 'job_not_running',
  fail: 'job_not_running',
  resume: step(resume, 'assigned'),
  worker_lost: step(workerLost, 'pending', 'failed', 'cancelled'),
  server_stop: step(serverStop, 'pending', 'failed', 'cancelled'),
  cancel: step(requestCancel, 'assigned'),
  cancel_stage: step(cancelStage, 'assigned', 'cancelled'),
  cancel_grace_passed: step(cancelGracePassed, 'cancelled'),
  acceptance_passed: step(acceptancePassed, 'pending', 'failed', 'cancelled'),
  execution_passed: 'job_not_running',
  run_by_passed: 'job_not_pending',
  redrive: 'job_not_ended',
  expire: 'job_not_ended',
}

const runningRow: Row = {
  assign: 'job_not_pending',
  ready: 'job_not_pending',
  start: step(alreadyApplied, 'running'),
  reject: 'job_not_assigned',
  progress: step(progress, 'running'),
  complete: step(complete, 'completed'),
  fail: step(fail, 'pending', 'failed', 'cancelled'),
  resume: step(resume, 'running'),
  worker_lost: step(workerLost, 'pending', 'failed', 'cancelled'),
  server_stop: step(serverStop, 'pending', 'failed', 'cancelled'),
  cancel: step(requestCancel, 'running'),
  cancel_stage: step(cancelStage, 'running', 'cancelled'),
  cancel_grace_passed: step(cancelGracePassed, 'cancelled'),
  acceptance_passed: 'job_not_assigned',
  execution_passed: step(executionPassed, 'pending', 'failed', 'cancelled'),
  run_by_passed: 'job_not_pending',
  redrive: 'job_not_ended',
  expire: 'job_not_ended',
}

const completedRow: Row = {
  assign: 'job_ended',
  ready: 'job_ended',
  start: 'job_ended',
  reject: 'job_ended',
  progress: 'job_ended',
  complete: 'job_ended',
  fail: 'job_ended',
  resume: 'job_ended',
  worker_lost: 'job_ended',
  server_stop: 'job_ended',
  cancel: 'job_ended',
  cancel_stage: 'job_ended',
  cancel_grace_passed: 'job_ended',
  acceptance_passed: 'job_ended',
  execution_passed: 'job_ended',
  run_by_passed: 'job_ended',
  redrive: step(redrive, 'completed'),
  expire: step(expire, 'completed'),
}

const failedRow: Row = {
  ...completedRow,
  redrive: step(redriveFailed, 'failed'),
  expire: step(expire, 'failed'),
}

const cancelledRow: Row = {
  ...completedRow,
  cancel: step(alreadyApplied, 'cancelled'),
  cancel_stage: step(lateCancelStage, 'cancelled'),
  redrive: step(redrive, 'cancelled'),
  expire: step(expire, 'cancelled'),
}

/*
 *              ┌─────────── failed, timed out, rejected, not accepted, lost, stopped: a try is left ──┐
 *              ▼                                                                                      │
 *  submit → pending ──assign──→ assigned ──start──→ running ──complete──→ completed                   │
 *              │                    │                  │                                              │
 *              │                    ├──────────────────┼── the attempt ends otherwise ────────────────┤
 *              ├─ runBy passed ─────┼──────────────────┼── no try is left ──────→ failed (dead letter)
 *              └─ cancel ───────────┴──────────────────┴── cancel was requested → cancelled
 */
export const transitionTable: Readonly<Record<JobStatus, Row>> = {
  pending: pendingRow,
  assigned: assignedRow,
  running: runningRow,
  completed: completedRow,
  failed: failedRow,
  cancelled: cancelledRow,
}
