import { describe, expect, it } from 'vitest'
import type { UserName } from '../ids.ts'
import { isRefusal } from '../refusal.ts'
import { dueAt } from './due.ts'
import type { CancelStage } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEvent, JobEventOf } from './job-event.ts'
import {
  assignedJob,
  fatalFailure,
  granted,
  pendingJob,
  runningJob,
  sampleEvents,
  sampleStart,
  sampleToken,
  sampleUser,
  sampleWorker,
  walk,
} from './sample-job.ts'
import { transition } from './transition.ts'

const now = sampleStart + 1e6
const ended = { kind: 'attempt_ended', worker: sampleWorker, token: sampleToken, outcome: 'cancelled' }
const stop = (how: string) => ({ kind: 'stop_attempt', worker: sampleWorker, token: sampleToken, how })
const stage = (reached: Exclude<CancelStage, 'requested'>): JobEventOf<'cancel_stage'> => ({
  ...sampleEvents.cancel_stage,
  stage: reached,
})
const assignedAsked = walk(assignedJob(), sampleEvents.cancel)
const runningAsked = walk(runningJob(), sampleEvents.cancel)

describe('asking for a cancel', () => {
  it('[J30] a pending job is cancelled at once and nobody is told', () => {
    const { next, effects } = granted(transition(pendingJob(), sampleEvents.cancel, now, 0))
    expect(next).toMatchObject({
      status: 'cancelled',
      queued: false,
      endedAt: now,
      cancel: { by: sampleUser },
    })
    expect(effects).toEqual([])
  })

  it.each([assignedJob(), runningJob()])('[J31] a $status job stays so and its worker is told', (job) => {
    const { next, effects } = granted(transition(job, sampleEvents.cancel, now, 0))
    expect(next.status).toBe(job.status)
    expect(next.cancel).toEqual({ by: sampleUser, requestedAt: now, stage: 'requested', stageAt: now })
    expect(effects).toEqual([stop('abort')])
  })

  it('[J31] asking again keeps the first request', () => {
    const again = granted(transition(runningAsked, { type: 'cancel', by: 'bob' as UserName }, now, 0))
    expect(again.next).toBe(runningAsked)
    expect(again.effects).toEqual([])
  })

  it('[J36] a cancelled job takes another cancel calmly, a completed or failed one refuses it', () => {
    const cancelled = walk(pendingJob(), sampleEvents.cancel)
    expect(granted(transition(cancelled, sampleEvents.cancel, now, 0)).next).toBe(cancelled)
    for (const end of [sampleEvents.complete, fatalFailure]) {
      const job = walk(runningJob(), end)
      expect(transition(job, sampleEvents.cancel, now, 0)).toMatchObject({ refused: 'job_ended' })
    }
  })
})

describe('the stages of a cancel', () => {
  it('[J32] the stages go forward to the end of the job', () => {
    const heard = walk(runningAsked, stage('delivered'), stage('acknowledged'))
    expect(heard).toMatchObject({ status: 'running', cancel: { stage: 'acknowledged' } })
    const { next, effects } = granted(transition(heard, stage('killed'), now, 0))
    expect(next).toMatchObject({ status: 'cancelled', cancel: { stage: 'killed', stageAt: now } })
    expect(next.ended).toMatchObject([{ outcome: 'cancelled' }])
    expect(effects).toEqual([ended])
  })

  it('[J32] an earlier stage that arrives late changes nothing', () => {
    const heard = walk(runningAsked, stage('acknowledged'))
    expect(granted(transition(heard, stage('delivered'), now, 0)).next).toBe(heard)
  })

  it('[J32] an assigned job can be stopped before it starts', () => {
    expect(walk(assignedAsked, stage('stopped'))).toMatchObject({ status: 'cancelled' })
  })

  it('[J32] a stage nobody asked for is refused', () => {
    expect(transition(runningJob(), stage('stopped'), now, 0)).toMatchObject({
      refused: 'cancel_not_requested',
    })
  })
})

describe('a job with a cancel request', () => {
  it('[J33] a completion before the worker stopped wins, and the history says so', () => {
    const { next, effects } = granted(transition(runningAsked, sampleEvents.complete, now, 0))
    expect(next).toMatchObject({ status: 'completed', cancel: { by: sampleUser } })
    expect(next.history.at(-1)?.reason).toBe('completed before the cancel took effect')
    expect(effects).toEqual([{ ...ended, outcome: 'completed' }])
  })

  it('[J33] a completion after the worker stopped is refused', () => {
    const stopped = walk(runningAsked, stage('stopped'))
    expect(transition(stopped, sampleEvents.complete, now, 0)).toMatchObject({ refused: 'job_ended' })
  })

  const otherEnds: readonly JobEvent[] = [
    sampleEvents.fail,
    fatalFailure,
    sampleEvents.reject,
    sampleEvents.worker_lost,
    sampleEvents.server_stop,
    sampleEvents.acceptance_passed,
    sampleEvents.execution_passed,
    sampleEvents.cancel_grace_passed,
  ]

  it.each(otherEnds)('[J14] [J34] $type ends it as cancelled, and the breaker counts nothing', (event) => {
    const transitions = [assignedAsked, runningAsked]
      .map((job) => transition(job, event, now, 0.5))
      .filter((answer): answer is Transition => !isRefusal(answer))
    expect(transitions.length).toBeGreaterThan(0)
    for (const { next, effects } of transitions) {
      expect(next).toMatchObject({ status: 'cancelled', deadLetter: false, charged: 0, uncharged: 0 })
      expect(next).not.toHaveProperty('error')
      expect(effects[0]).toEqual(ended)
    }
  })
})

describe('the grace of a cancel', () => {
  const { cancelGraceMs } = runningAsked.submission.policy

  it('[J35] a job whose worker does not stop is cancelled without it and killed', () => {
    const { next, effects } = granted(transition(runningAsked, sampleEvents.cancel_grace_passed, now, 0))
    expect(next).toMatchObject({ status: 'cancelled', cancel: { stage: 'requested' } })
    expect(effects).toEqual([ended, stop('kill')])
  })

  it('[J35] the grace counts from the last stage', () => {
    expect(dueAt(runningAsked)).toBe((runningAsked.cancel?.requestedAt ?? 0) + cancelGraceMs)
    const heard = granted(transition(runningAsked, stage('delivered'), sampleStart + 4_000, 0)).next
    expect(dueAt(heard)).toBe(sampleStart + 4_000 + cancelGraceMs)
  })

  it('[J35] the stage reported after the end is recorded and changes nothing else', () => {
    const over = granted(transition(runningAsked, sampleEvents.cancel_grace_passed, now, 0)).next
    const { next, effects } = granted(transition(over, stage('killed'), now + 50, 0))
    expect(next).toEqual({ ...over, cancel: { ...over.cancel, stage: 'killed', stageAt: now + 50 } })
    expect(effects).toEqual([])
    expect(granted(transition(next, stage('killed'), now + 60, 0)).next).toBe(next)
  })
})
