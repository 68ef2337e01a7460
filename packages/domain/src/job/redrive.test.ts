import { describe, expect, it } from 'vitest'
import type { JobId, SchemaHash, UserName } from '../ids.ts'
import { dueAt } from './due.ts'
import { deadLetterRefusal, redriveSubmission } from './redrive.ts'
import { granted, sampleEvents, sampleJobs, sampleStart, sampleSubmission } from './sample-job.ts'
import { transition } from './transition.ts'

const now = sampleStart + 1e6
const { completed, failed, cancelled } = sampleJobs
const { retentionMs, deadLetterRetentionMs } = failed.submission.policy

describe('redrive', () => {
  it('[J37] the new submission names the old job and is new in everything that is decided anew', () => {
    const order = {
      id: 'job-2' as JobId,
      submitter: 'bob' as UserName,
      priority: 3,
      schemaHash: 'hash-2' as SchemaHash,
      data: { angle: 45 },
      createdAt: now,
    }
    const idempotency = { key: 'k', bodyHash: 'h' }
    const old = sampleSubmission({ idempotency, notBefore: sampleStart + 100, runBy: sampleStart + 700 })
    expect(redriveSubmission(old, order)).toEqual({
      ...sampleSubmission(),
      ...order,
      redriveOf: old.id,
      runBy: now + 600,
    })
  })

  it.each([completed, failed, cancelled])(
    '[J37] a $status job records the new one and stays ended',
    (job) => {
      const { next, effects } = granted(transition(job, sampleEvents.redrive, now, 0))
      expect(next).toEqual({ ...job, deadLetter: false, redrivenAs: 'job-2', redrivenAt: now })
      expect(effects).toEqual([])
    },
  )

  it('[J18] [J38] a failed job is redriven once and is no dead letter afterwards', () => {
    const redriven = granted(transition(failed, sampleEvents.redrive, now, 0)).next
    expect(redriven.deadLetter).toBe(false)
    expect(transition(redriven, { type: 'redrive', as: 'job-3' as JobId }, now, 0)).toMatchObject({
      refused: 'job_redriven',
      details: { redrivenAs: 'job-2' },
    })
  })

  it.each([completed, cancelled])('[J38] a $status job is redriven as often as wanted', (job) => {
    const once = granted(transition(job, sampleEvents.redrive, now, 0)).next
    const twice = granted(transition(once, { type: 'redrive', as: 'job-3' as JobId }, now, 0)).next
    expect(twice.redrivenAs).toBe('job-3')
  })
})

describe('redriving many', () => {
  it.each([completed, failed, cancelled])('[M84] as one of many a $status job is redriven once', (job) => {
    const once = { ...sampleEvents.redrive, once: true } as const
    const redriven = granted(transition(job, once, now, 0)).next
    expect(redriven.redrivenAs).toBe('job-2')
    expect(transition(redriven, once, now, 0)).toMatchObject({ refused: 'job_redriven' })
  })

  it('[M81] what is no dead letter says why: it was redriven, or did not fail', () => {
    expect(deadLetterRefusal(failed)).toBeNull()
    const redriven = granted(transition(failed, sampleEvents.redrive, now, 0)).next
    expect(deadLetterRefusal(redriven)).toMatchObject({ refused: 'job_redriven' })
    const done = granted(transition(completed, sampleEvents.redrive, now, 0)).next
    for (const job of [completed, cancelled, done, sampleJobs.running])
      expect(deadLetterRefusal(job)).toMatchObject({ refused: 'job_not_dead_letter' })
  })
})

describe('retention', () => {
  it.each([
    [completed, retentionMs],
    [cancelled, retentionMs],
    [failed, deadLetterRetentionMs],
  ])('[J39] a $status job is kept for its retention and then removed', (job, kept) => {
    const instant = (job.endedAt as number) + kept
    expect(dueAt(job)).toBe(instant)
    const { next, effects } = granted(transition(job, sampleEvents.expire, instant, 0))
    expect(next).toBe(job)
    expect(effects).toEqual([{ kind: 'remove' }])
  })

  it('[J39] a redriven dead letter is kept for the plain retention after its redrive', () => {
    const late = (failed.endedAt as number) + deadLetterRetentionMs - 1
    expect(dueAt(granted(transition(failed, sampleEvents.redrive, late, 0)).next)).toBe(late + retentionMs)
  })
})
