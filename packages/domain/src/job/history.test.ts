import { describe, expect, it } from 'vitest'
import { historyLimit, historyOf } from './history.ts'
import {
  assignedJob,
  runningJob,
  sampleEvents,
  sampleStart,
  sampleUser,
  sampleWorker,
  walk,
} from './sample-job.ts'

describe('historyOf', () => {
  it('[J41] a claim that wrote no history is told from its attempt', () => {
    expect(assignedJob().history).toHaveLength(1)
    expect(historyOf(assignedJob())).toEqual([
      { at: sampleStart, status: 'pending', reason: 'submitted', by: sampleUser },
      { at: sampleStart + 1_000, status: 'assigned', reason: 'assigned', by: sampleWorker },
    ])
  })

  it('[J41] the assignment is told once, whatever happens to the assigned job', () => {
    const job = walk(assignedJob(), sampleEvents.resume, sampleEvents.cancel)
    expect(historyOf(job).map(({ reason }) => reason)).toEqual([
      'submitted',
      'assigned',
      'worker returned',
      'cancel requested',
    ])
    expect(historyOf(job)).toBe(job.history)
  })

  it('[J41] the whole story of a job that failed once and completed', () => {
    const failed = walk(runningJob(), sampleEvents.fail)
    expect(historyOf(failed).map(({ status }) => status)).toEqual([
      'pending',
      'assigned',
      'running',
      'pending',
    ])
    expect(failed.history.at(-1)?.reason).toBe('requeued: boom')
  })

  it('[J41] an assignment that ended before its start stays in the story', () => {
    const lost = walk(assignedJob(), sampleEvents.worker_lost)
    expect(historyOf(lost).map(({ status }) => status)).toEqual(['pending', 'assigned', 'pending'])
  })

  it('[J41] a long story keeps its first ten and its newest entries', () => {
    const flapping = walk(runningJob(), ...Array.from({ length: 80 }, () => sampleEvents.resume))
    const done = walk(flapping, sampleEvents.complete)
    expect(done.history).toHaveLength(historyLimit)
    expect(done.history.slice(0, 10)).toEqual(flapping.history.slice(0, 10))
    expect(done.history[10]?.at).toBeGreaterThan((done.history[9]?.at ?? 0) + 1_000)
    expect(done.history.at(-1)?.status).toBe('completed')
  })
})
