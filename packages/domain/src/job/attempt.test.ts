import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken, WorkerId } from '../ids.ts'
import { headOf, jobOf, prepareAttempt, withAttempt } from './attempt.ts'
import {
  assignTo,
  granted,
  pendingJob,
  sampleEvents,
  sampleJobs,
  sampleStart,
  sampleToken,
  sampleWorker,
  walk,
} from './sample-job.ts'
import { transition } from './transition.ts'

const seed = 20_261_115

describe('assign', () => {
  it('[J3] a prepared attempt has the token, the worker and the acceptance deadline', () => {
    const plan = { token: sampleToken, worker: sampleWorker, now: 500, acceptMs: 70 }
    expect(prepareAttempt(plan)).toEqual({
      token: sampleToken,
      worker: sampleWorker,
      assignedAt: 500,
      acceptBy: 570,
    })
  })

  it('[J3] the table and a claim that never read the head make the same job of every pending one', () => {
    const retried = walk(sampleJobs.running, sampleEvents.fail)
    fc.assert(
      fc.property(
        fc.constantFrom(sampleJobs.pending, retried),
        fc.string(),
        fc.string(),
        fc.nat(),
        fc.nat(),
        (job, token, worker, now, acceptMs) => {
          const attempt = prepareAttempt({
            token: token as AttemptToken,
            worker: worker as WorkerId,
            now,
            acceptMs,
          })
          const { next } = granted(transition(job, { type: 'assign', attempt }, now, 0))
          expect(next).toEqual(withAttempt(job, attempt))
          expect(next).toEqual(jobOf(job.submission, headOf(job), attempt))
          expect({ ...next, status: job.status, queued: job.queued, attempt: null }).toEqual(job)
        },
      ),
      { seed },
    )
  })

  it.each(Object.values(sampleJobs))('[J3] a $status job is the same after its parts were stored', (job) => {
    const head = JSON.parse(JSON.stringify(headOf(job)))
    expect(jobOf(job.submission, head, job.attempt)).toEqual(job)
  })

  it('[J4] a job that waits for its instant is not assigned', () => {
    const delayed = pendingJob({ notBefore: sampleStart + 60_000 })
    expect(transition(delayed, sampleEvents.assign, sampleStart, 0)).toMatchObject({ refused: 'job_not_due' })
  })

  it('[J4] a task is assigned to its addressee and to nobody else', () => {
    const task = pendingJob({ addressee: 'manager-1' as WorkerId })
    const toAddressee = assignTo(sampleToken, sampleStart, 'manager-1' as WorkerId)
    expect(transition(task, sampleEvents.assign, sampleStart, 0)).toMatchObject({
      refused: 'job_not_addressed',
    })
    expect(granted(transition(task, toAddressee, sampleStart, 0)).next.status).toBe('assigned')
  })
})
