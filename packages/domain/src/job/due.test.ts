import { describe, expect, it } from 'vitest'
import { dueAt, onDue } from './due.ts'
import { assignedJob, pendingJob, runningJob, sampleEvents, sampleStart, walk } from './sample-job.ts'

const at = (ms: number) => sampleStart + ms

describe('what is due', () => {
  it.each([
    ['a queued job without a runBy', pendingJob(), null, null],
    ['a queued job with a runBy', pendingJob({ runBy: at(900) }), at(900), 'run_by_passed'],
    ['a delayed job', pendingJob({ notBefore: at(500) }), at(500), 'ready'],
    ['a delayed job with a runBy', pendingJob({ notBefore: at(500), runBy: at(900) }), at(500), 'ready'],
    ['an assigned job', assignedJob(), at(11_000), 'acceptance_passed'],
    ['a running job', runningJob(), at(242_000), 'execution_passed'],
    [
      'a job with a cancel request',
      walk(runningJob(), sampleEvents.cancel),
      at(6_000),
      'cancel_grace_passed',
    ],
    [
      'a job whose run limit is nearer than its grace',
      walk(runningJob({}, { runLimitMs: 100 }), sampleEvents.cancel),
      at(2_100),
      'execution_passed',
    ],
    ['an ended job', walk(runningJob(), sampleEvents.complete), at(1_000 + 86_400_000), 'expire'],
  ] as const)('[J28] %s', (_case, job, instant, type) => {
    expect(dueAt(job)).toBe(instant)
    expect(onDue(job, instant ?? Number.MAX_SAFE_INTEGER)?.type ?? null).toBe(type)
    if (instant !== null) expect(onDue(job, instant - 1)).toBeNull()
  })

  it('[J29] a delayed job found after its runBy fails and is not offered first', () => {
    const job = pendingJob({ notBefore: at(500), runBy: at(900) })
    expect(onDue(job, at(899))).toEqual({ type: 'ready' })
    expect(onDue(job, at(900))).toEqual({ type: 'run_by_passed' })
  })

  it.each([
    ['acceptance', assignedJob(), 11_000, 'acceptance_passed'],
    ['execution', runningJob(), 242_000, 'execution_passed'],
  ] as const)(
    '[M100] an %s deadline that passed while nobody could be told waits for a full grace',
    (_which, job, deadline, type) => {
      const back = deadline + 60_000
      expect(onDue(job, at(back), at(back))).toBeNull()
      expect(onDue(job, at(back + 9_999), at(back))).toBeNull()
      expect(onDue(job, at(back + 10_000), at(back))).toEqual({ type })
    },
  )

  it('[M100] an attempt that was assigned since has its deadline as ever, and a cancel its own', () => {
    expect(onDue(assignedJob(), at(11_000), at(1_000))).toEqual({ type: 'acceptance_passed' })
    const cancelled = walk(runningJob(), sampleEvents.cancel)
    expect(onDue(cancelled, at(6_000), at(6_000))).toEqual({ type: 'cancel_grace_passed' })
  })
})
