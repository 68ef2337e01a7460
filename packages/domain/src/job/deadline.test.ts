import { describe, expect, it } from 'vitest'
import { dueAt } from './due.ts'
import type { JobEvent } from './job-event.ts'
import { taskRunBy } from './queue.ts'
import {
  assignedJob,
  granted,
  pendingJob,
  runningJob,
  sampleEvents,
  sampleStart,
  sampleToken,
  sampleWorker,
  walk,
} from './sample-job.ts'
import { transition } from './transition.ts'

const stop = (how: string) => ({ kind: 'stop_attempt', worker: sampleWorker, token: sampleToken, how })

describe('deadlines', () => {
  it.each([
    ['acceptance', assignedJob(), sampleEvents.acceptance_passed],
    ['execution', runningJob(), sampleEvents.execution_passed],
    ['runBy', pendingJob({ runBy: sampleStart + 500 }), sampleEvents.run_by_passed],
    ['cancel grace', walk(runningJob(), sampleEvents.cancel), sampleEvents.cancel_grace_passed],
    ['retention', walk(runningJob(), sampleEvents.complete), sampleEvents.expire],
  ] as const)(
    '[J24] %s passes at its instant and not a millisecond before',
    (_name, job, event: JobEvent) => {
      const instant = dueAt(job) as number
      expect(transition(job, event, instant - 1, 0)).toMatchObject({ refused: 'job_not_due' })
      expect(granted(transition(job, event, instant, 0))).toBeDefined()
    },
  )

  it('[J24] a start and a completion that come late but first are taken', () => {
    const late = sampleStart + 1e9
    const started = granted(transition(assignedJob(), sampleEvents.start, late, 0)).next
    expect(started.attempt?.runUntil).toBeGreaterThan(late)
    expect(granted(transition(runningJob(), sampleEvents.complete, late, 0)).next.status).toBe('completed')
  })

  it('[J25] a passed acceptance deadline tells the worker to drop the attempt', () => {
    const job = assignedJob()
    const { next, effects } = granted(transition(job, sampleEvents.acceptance_passed, sampleStart + 1e6, 0))
    expect(next.ended).toMatchObject([{ outcome: 'not_accepted' }])
    expect(effects).toContainEqual(stop('abort'))
  })

  it('[J15] [J25] a passed execution deadline is charged, kills the attempt and names the limit', () => {
    const job = runningJob({}, { runLimitMs: 7_000 })
    const { next, effects } = granted(transition(job, sampleEvents.execution_passed, sampleStart + 1e6, 0))
    expect(next).toMatchObject({ status: 'pending', charged: 1, error: { name: 'timed_out' } })
    expect(next.error?.message).toContain('7000 ms')
    expect(effects).toContainEqual(stop('kill'))
  })

  it('[J26] a job that is pending at its runBy fails, first time or after a retry', () => {
    const runBy = sampleStart + 60_000
    const retried = walk(runningJob({ runBy }), sampleEvents.worker_lost)
    for (const job of [pendingJob({ runBy }), retried]) {
      const { next, effects } = granted(transition(job, sampleEvents.run_by_passed, runBy, 0))
      expect(next).toMatchObject({ status: 'failed', deadLetter: true, error: { name: 'run_by_passed' } })
      expect(effects).toEqual([{ kind: 'dead_letter' }])
    }
  })

  it('[J26] a running job is not ended by its runBy', () => {
    const job = runningJob({ runBy: sampleStart + 60_000 })
    expect(transition(job, sampleEvents.run_by_passed, sampleStart + 1e6, 0)).toMatchObject({
      refused: 'job_not_pending',
    })
  })

  it('[J27] a task nobody takes fails when its acceptance deadline has passed', () => {
    const runBy = taskRunBy(sampleStart, { acceptMs: 10_000 })
    expect(runBy).toBe(sampleStart + 10_000)
    expect(dueAt(pendingJob({ runBy }))).toBe(runBy)
  })
})
