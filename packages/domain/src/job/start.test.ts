import { describe, expect, it } from 'vitest'
import { textLimits } from './bounded-error.ts'
import { historyOf } from './history.ts'
import {
  assignedJob,
  granted,
  runningJob,
  sampleEvents,
  sampleJobs,
  sampleToken,
  sampleWorker,
  walk,
} from './sample-job.ts'
import { transition } from './transition.ts'

const now = 2_000_000

describe('start', () => {
  it('[J6] a start sets the execution deadline at now plus the run limit', () => {
    const job = assignedJob({}, { runLimitMs: 7_000 })
    const { next, effects } = granted(transition(job, sampleEvents.start, now, 0))
    expect(next.status).toBe('running')
    expect(next.attempt).toEqual({ ...job.attempt, startedAt: now, runUntil: now + 7_000 })
    expect(effects).toEqual([])
  })

  it('[J6] a second start does not move the deadline', () => {
    const job = runningJob()
    expect(granted(transition(job, sampleEvents.start, now, 0)).next).toBe(job)
  })
})

describe('resume', () => {
  it.each([sampleJobs.assigned, sampleJobs.running])(
    '[J13] a returning worker changes nothing of a $status job but its history',
    (job) => {
      const { next, effects } = granted(transition(job, sampleEvents.resume, now, 0))
      expect({ ...next, history: job.history }).toEqual(job)
      expect(historyOf(next)).toEqual([
        ...historyOf(job),
        { at: now, status: job.status, reason: 'worker returned', by: sampleWorker },
      ])
      expect(effects).toEqual([])
    },
  )

  it('[J13] a worker that returns to a job with a cancel request is told again', () => {
    const job = walk(runningJob(), sampleEvents.cancel)
    expect(granted(transition(job, sampleEvents.resume, now, 0)).effects).toEqual([
      { kind: 'stop_attempt', worker: sampleWorker, token: sampleToken, how: 'abort' },
    ])
  })
})

describe('progress', () => {
  it.each([
    [0.25, 0.25],
    [-3, 0],
    [17, 1],
  ])('[J11] a fraction of %d is kept as %d', (fraction, kept) => {
    const event = { ...sampleEvents.progress, fraction }
    const { next } = granted(transition(runningJob(), event, now, 0))
    expect(next.progress).toEqual({ fraction: kept, message: 'half', at: now })
    expect(next.history).toHaveLength(3)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('[J11] a fraction of %d is refused', (fraction) => {
    const event = { ...sampleEvents.progress, fraction }
    expect(transition(runningJob(), event, now, 0)).toMatchObject({ refused: 'progress_invalid' })
  })

  it('[J42] a long progress message is cut', () => {
    const event = { ...sampleEvents.progress, message: 'x'.repeat(10_000) }
    const { next } = granted(transition(runningJob(), event, now, 0))
    expect(next.progress?.message).toHaveLength(textLimits.progressMessage)
  })
})
