import type { JobView } from '@millrace/protocol'
import { describe, expect, it } from 'vitest'
import { earlierText, outcomeText, stepText } from './attempt-words.ts'

type Attempt = JobView['attempts'][number]

function attempt(outcome?: string, message?: string, endedAt = 50): Attempt {
  return {
    worker: 'vm-1',
    assignedAt: 10,
    acceptBy: 20,
    startedAt: 12,
    ...(outcome !== undefined && { endedAt, outcome }),
    ...(message !== undefined && { error: { message } }),
  }
}

describe('attempts in words', () => {
  it.each<[JobView['status'], readonly Attempt[], number | undefined, string | null]>([
    ['running', [attempt()], undefined, null],
    [
      'running',
      [attempt('worker_lost', 'Worker disconnected'), attempt()],
      undefined,
      'Attempt 1 was lost with its worker; this is attempt 2.',
    ],
    [
      'running',
      [attempt('failed_retryable', 'no frame 3'), attempt()],
      undefined,
      'Attempt 1 failed: no frame 3. This is attempt 2.',
    ],
    [
      'pending',
      [attempt('timed_out'), attempt('failed_retryable', 'Too hot!')],
      3_100,
      'Attempt 2 failed: Too hot! The next begins in 3 s.',
    ],
    [
      'pending',
      [attempt('not_accepted')],
      undefined,
      'Attempt 1 was not accepted in time. It waits for the next.',
    ],
    ['failed', [attempt('failed_retryable', 'no')], undefined, null],
  ])('[U52] a job that is %s tells of its attempts before', (status, attempts, retryAt, expected) => {
    const job = { status, attempts: [...attempts], ...(retryAt !== undefined && { retryAt }) }
    expect(earlierText(job, 100)).toBe(expected)
  })

  it('[U52] only the last attempt of a job that failed was given up', () => {
    const attempts = [attempt('failed_retryable'), attempt('failed_retryable')]
    const texts = (status: JobView['status']) => attempts.map((one) => outcomeText({ status, attempts }, one))
    expect(texts('failed')).toEqual(['failed', 'failed, given up'])
    expect(texts('pending')).toEqual(['failed', 'failed'])
    const fatal = attempt('failed_fatal')
    expect(outcomeText({ status: 'failed', attempts: [fatal] }, fatal)).toBe('failed for good')
  })

  it('[U52] a step of the history says who got the job, and how an attempt ended', () => {
    const attempts = [attempt('worker_lost', 'Worker disconnected', 50)]
    const told = (step: Parameters<typeof stepText>[1]) => stepText({ status: 'pending', attempts }, step)
    expect(told({ at: 0, status: 'pending', reason: 'submitted', by: 'kim' })).toBe('submitted by kim')
    expect(told({ at: 10, status: 'assigned', reason: 'assigned', by: 'vm-1' })).toBe('assigned to vm-1')
    expect(told({ at: 50, status: 'running', reason: 'started', by: 'vm-1' })).toBe('started on vm-1')
    expect(told({ at: 50, status: 'pending', reason: 'requeued: Worker disconnected' })).toBe(
      'lost with its worker',
    )
  })
})
