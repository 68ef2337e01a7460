import { describe, expect, it } from 'vitest'
import { dueAt } from './due.ts'
import { granted, pendingJob, sampleEvents, sampleStart, sampleSubmission, sampleUser } from './sample-job.ts'
import { maxDelayMs, submit } from './submit.ts'
import { transition } from './transition.ts'

describe('submit', () => {
  it('[J1] a submitted job is pending and stands in its queue', () => {
    expect(pendingJob()).toMatchObject({
      status: 'pending',
      queued: true,
      charged: 0,
      uncharged: 0,
      attempt: null,
    })
    expect(pendingJob().history).toEqual([
      { at: sampleStart, status: 'pending', reason: 'submitted', by: sampleUser },
    ])
  })

  it('[J1] a job with a notBefore ahead is pending outside its queue, one with a past notBefore inside', () => {
    expect(pendingJob({ notBefore: sampleStart + 1 })).toMatchObject({ status: 'pending', queued: false })
    expect(pendingJob({ notBefore: sampleStart - 1 }).queued).toBe(true)
  })

  it.each([
    ['a notBefore beyond a year', { notBefore: sampleStart + maxDelayMs + 1 }, 'notBefore'],
    ['a notBefore that is no number', { notBefore: Number.NaN }, 'notBefore'],
    ['a runBy that is not after createdAt', { runBy: sampleStart }, 'runBy'],
    ['a runBy that is not after notBefore', { notBefore: sampleStart + 9, runBy: sampleStart + 9 }, 'runBy'],
    ['a runBy that is no number', { runBy: Number.NaN }, 'runBy'],
  ])('[J2] a submit with %s is refused', (_case, changes, field) => {
    expect(submit(sampleSubmission(changes))).toMatchObject({
      refused: 'submission_out_of_range',
      details: { field },
    })
  })

  it.each(['', 'with space', 'line\nbreak', 'ключ', 'k'.repeat(129)])(
    '[J58] an idempotency key of another form is refused: %j',
    (key) => {
      expect(submit(sampleSubmission({ idempotency: { key, bodyHash: 'x' } }))).toMatchObject({
        refused: 'submission_out_of_range',
        details: { field: 'idempotency' },
      })
    },
  )

  it('[J58] an idempotency key of 128 visible characters is taken', () => {
    expect(
      granted(submit(sampleSubmission({ idempotency: { key: '~'.repeat(128), bodyHash: 'x' } }))).next.status,
    ).toBe('pending')
  })

  it('[J2] the widest allowed delay and the narrowest allowed runBy are taken', () => {
    const notBefore = sampleStart + maxDelayMs
    expect(granted(submit(sampleSubmission({ notBefore, runBy: notBefore + 1 }))).next.status).toBe('pending')
  })

  it('[J50] a submit with a priority outside the scale is refused', () => {
    expect(submit(sampleSubmission({ priority: 11 }))).toMatchObject({ refused: 'priority_invalid' })
  })
})

describe('ready', () => {
  const notBefore = sampleStart + 60_000
  const delayed = pendingJob({ notBefore })

  it('[J5] a delayed job enters its queue at its instant and has nothing due afterwards', () => {
    expect(dueAt(delayed)).toBe(notBefore)
    const { next, effects } = granted(transition(delayed, sampleEvents.ready, notBefore, 0))
    expect(next).toEqual({ ...delayed, queued: true })
    expect(effects).toEqual([])
    expect(dueAt(next)).toBeNull()
  })

  it('[J5] a delayed job does not enter its queue before its instant', () => {
    expect(transition(delayed, sampleEvents.ready, notBefore - 1, 0)).toMatchObject({
      refused: 'job_not_due',
    })
  })
})
