import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import { assignTo, granted, pendingJob, runningJob, sampleEvents, sampleStart, walk } from './sample-job.ts'
import { timings } from './timings.ts'
import { transition } from './transition.ts'

describe('timings', () => {
  it('[J40] a completed job waited until its start and ran until its end', () => {
    const done = granted(transition(runningJob(), sampleEvents.complete, sampleStart + 5_000, 0)).next
    expect(done).toMatchObject({ waitMs: 2_000, runMs: 3_000, endedAt: sampleStart + 5_000 })
  })

  it('[J40] after a retry it is the last run that counts', () => {
    const token = 'token-2' as AttemptToken
    const again = walk(runningJob(), sampleEvents.fail, assignTo(token, sampleStart + 2_000))
    const started = granted(transition(again, { type: 'start', token }, sampleStart + 9_000, 0)).next
    const done = granted(transition(started, { type: 'complete', token }, sampleStart + 9_500, 0)).next
    expect(done).toMatchObject({ waitMs: 9_000, runMs: 500 })
  })

  it('[J40] a job that ends while pending waited until its end and has no run, even after an earlier one', () => {
    for (const job of [pendingJob(), walk(runningJob(), sampleEvents.fail)]) {
      const { next } = granted(transition(job, sampleEvents.cancel, sampleStart + 7_000, 0))
      expect(next.waitMs).toBe(7_000)
      expect(next).not.toHaveProperty('runMs')
    }
  })

  it('[J40] no duration is negative, whichever way the clocks go', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat(), { nil: undefined }), fc.nat(), (created, started, ended) => {
        const { waitMs, runMs = 0 } = timings(created, started, ended)
        expect(Math.min(waitMs, runMs)).toBeGreaterThanOrEqual(0)
      }),
      { seed: 20_261_115 },
    )
  })
})
