import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import { textLimits } from './bounded-error.ts'
import type { Job } from './job.ts'
import type { JobEvent } from './job-event.ts'
import { score } from './order.ts'
import { defaultPolicy } from './policy.ts'
import { backoffMs, maxUnchargedDeliveries } from './retry.ts'
import {
  assignedJob,
  assignTo,
  fatalFailure,
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

const now = sampleStart + 1e6
const ended = (outcome: string) => ({
  kind: 'attempt_ended',
  worker: sampleWorker,
  token: sampleToken,
  outcome,
})

/** Delivers the job again and again, each attempt ending by the same event, until the job has ended or enough is enough. */
function deliver(job: Job, times: number, end: (token: AttemptToken) => readonly JobEvent[]): Job {
  let current = job
  for (let delivery = 1; delivery <= times; delivery++) {
    const token = `delivery-${delivery}` as AttemptToken
    current = walk(current, assignTo(token, sampleStart), ...end(token))
  }
  return current
}

const lost = (token: AttemptToken): JobEvent[] => [{ type: 'worker_lost', token }]
const failing = (token: AttemptToken): JobEvent[] => [
  { type: 'start', token },
  { ...sampleEvents.fail, token },
]

describe('charged failures', () => {
  it('[J15] a retryable failure is charged and the job requeued', () => {
    const { next, effects } = granted(transition(runningJob(), sampleEvents.fail, now, 0.5))
    expect(next).toMatchObject({
      status: 'pending',
      attempt: null,
      charged: 1,
      uncharged: 0,
      deadLetter: false,
    })
    expect(effects).toEqual([ended('failed_retryable')])
  })

  it('[J15] [J17] the last of maxAttempts charged failures fails the job', () => {
    expect(deliver(pendingJob(), 2, failing)).toMatchObject({ status: 'pending', charged: 2 })
    const failed = deliver(pendingJob(), 3, failing)
    expect(failed).toMatchObject({ status: 'failed', charged: 3, error: { message: 'boom' } })
    expect(failed.history.at(-1)?.reason).toBe('attempt 3 of 3 failed')
  })

  it('[J17] a fatal failure fails the job at its first attempt', () => {
    const { next, effects } = granted(transition(runningJob(), fatalFailure, now, 0))
    expect(next).toMatchObject({ status: 'failed', charged: 1, error: { message: 'boom' } })
    expect(effects).toEqual([ended('failed_fatal'), { kind: 'dead_letter' }])
  })

  it('[J18] a failed job is a dead letter, a completed or cancelled one is not', () => {
    expect(walk(runningJob(), fatalFailure).deadLetter).toBe(true)
    expect(walk(runningJob(), sampleEvents.complete).deadLetter).toBe(false)
    expect(walk(runningJob(), sampleEvents.cancel, sampleEvents.cancel_stage).deadLetter).toBe(false)
  })

  it('[J16] a retry waits for its share of the doubling backoff and keeps its score', () => {
    const job = runningJob({}, { backoffBaseMs: 1_000 })
    const { next } = granted(transition(job, sampleEvents.fail, now, 0.5))
    expect(next).toMatchObject({ queued: false, retryAt: now + 500 })
    expect(score(next.submission)).toBe(score(job.submission))
  })

  it.each([
    [1, 0.999, 999],
    [2, 0.5, 1_000],
    [4, 0.5, 4_000],
    [20, 0.5, 150_000],
    [3, 0, 0],
  ])('[J16] after %d failures and a throw of %d the delay is %d ms', (failures, random, delay) => {
    expect(backoffMs(defaultPolicy, failures, random)).toBe(delay)
  })

  it('[J16] no delay reaches the cap, whatever the dice', () => {
    const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), dice, (failures, random) => {
        const delay = backoffMs(defaultPolicy, failures, random)
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThan(defaultPolicy.backoffCapMs)
      }),
      { seed: 20_261_115 },
    )
  })

  it('[J23] a requeued job keeps its ended attempts and last error, and loses its progress', () => {
    const next = walk(runningJob(), sampleEvents.progress, sampleEvents.fail)
    expect(next.ended).toMatchObject([{ token: sampleToken, outcome: 'failed_retryable' }])
    expect(next.error).toMatchObject({ message: 'boom' })
    expect(next).not.toHaveProperty('progress')
  })

  it('[J23] a job that completes after a failure has no error of its own', () => {
    const retried = deliver(pendingJob(), 1, failing)
    const token = 'second' as AttemptToken
    const done = walk(retried, assignTo(token, now), { type: 'start', token }, { type: 'complete', token })
    expect(done).not.toHaveProperty('error')
    expect(done.ended[0]?.error).toEqual({ message: 'boom' })
  })
})

describe('uncharged deliveries', () => {
  it.each([
    ['worker_lost', runningJob(), sampleEvents.worker_lost],
    ['worker_lost', assignedJob(), sampleEvents.worker_lost],
    ['server_stop', runningJob(), sampleEvents.server_stop],
    ['not_accepted', assignedJob(), sampleEvents.acceptance_passed],
  ] as const)('[J19] [J20] %s requeues at once and is not charged', (outcome, job, event) => {
    const { next, effects } = granted(transition(job, event, now, 0.9))
    expect(next).toMatchObject({ status: 'pending', queued: true, charged: 0, uncharged: 1 })
    expect(next).not.toHaveProperty('retryAt')
    expect(effects[0]).toEqual(ended(outcome))
  })

  it('[J20] a rejected job is not charged and waits for its backoff', () => {
    const { next, effects } = granted(transition(assignedJob(), sampleEvents.reject, now, 0.5))
    expect(next).toMatchObject({
      status: 'pending',
      queued: false,
      retryAt: now + 500,
      charged: 0,
      uncharged: 1,
    })
    expect(next.error?.message).toBe('Rejected by the worker: busy')
    expect(effects).toEqual([ended('rejected')])
  })

  it('[J19] the tenth uncharged delivery fails the job and says why', () => {
    expect(deliver(pendingJob(), maxUnchargedDeliveries - 1, lost).status).toBe('pending')
    const failed = deliver(pendingJob(), maxUnchargedDeliveries, lost)
    expect(failed).toMatchObject({ status: 'failed', charged: 0, uncharged: 10, deadLetter: true })
    expect(failed.history.at(-1)?.reason).toBe(
      'delivered 10 times without an outcome, the last time: Worker disconnected',
    )
  })

  it('[J21] the loss of the worker fails a job whose policy says so, at once', () => {
    const { next, effects } = granted(
      transition(runningJob({}, { onWorkerLost: 'fail' }), sampleEvents.worker_lost, now, 0),
    )
    expect(next).toMatchObject({ status: 'failed', error: { message: 'Worker disconnected' } })
    expect(effects).toEqual([ended('worker_lost'), { kind: 'dead_letter' }])
  })

  it('[J21] a server stop requeues even a job whose policy fails on a lost worker', () => {
    expect(walk(runningJob({}, { onWorkerLost: 'fail' }), sampleEvents.server_stop).status).toBe('pending')
  })
})

describe('texts of workers', () => {
  const long = 'x'.repeat(100_000)

  it('[J42] a long error is cut, and an ended attempt keeps a short message and no stack', () => {
    const event = { ...sampleEvents.fail, error: { message: long, name: long, stack: long } }
    const { error, ended: attempts } = walk(runningJob(), event)
    expect(error?.message).toHaveLength(textLimits.errorMessage)
    expect(error?.name).toHaveLength(textLimits.errorName)
    expect(error?.stack).toHaveLength(textLimits.errorStack)
    expect(attempts[0]?.error?.message).toHaveLength(textLimits.endedErrorMessage)
    expect(attempts[0]?.error).not.toHaveProperty('stack')
  })

  it('[J42] a cut never splits a character in two', () => {
    const { error } = walk(runningJob(), { ...sampleEvents.fail, error: { message: '😀'.repeat(5_000) } })
    expect(error?.message.replaceAll('😀', '')).toBe('…')
  })
})
