import type { JobView, WhyView } from '@millrace/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Follower } from './follow-job.ts'
import { lineFollower } from './line-follower.ts'

const job: JobView = {
  id: '3fa9c01b',
  room: 'lab',
  scope: 'room',
  category: 'modifiers',
  extension: 'Relax',
  status: 'running',
  submitter: 'alice',
  priority: 5,
  createdAt: 0,
  worker: 'gpu-box',
  assignedAt: 1,
  deadLetter: false,
  charged: 0,
  schemaHash: 'a',
  data: {},
  policy: {},
  attempts: [],
}

const busy: WhyView = {
  status: 'pending',
  sentence: 'All workers for it are busy (slots).',
  reason: 'all_slots_busy',
  details: {},
  ahead: 2,
  estimateMs: null,
}

let said: string[]
let follower: Follower

beforeEach(() => {
  said = []
  follower = lineFollower(
    (text) => said.push(text),
    (_style, text) => text,
  )
})

describe('a job that is followed into a pipe', () => {
  it('[N18] is told as running once in each attempt, whatever is said in between', () => {
    follower.state(job)
    follower.progress(0.3, 'steps')
    follower.state(job)
    follower.state({ ...job, assignedAt: 2 })
    expect(said).toEqual(['running on gpu-box', '30 % steps', 'running on gpu-box'])
  })

  it('[N18] never goes back within an attempt, and begins anew with the next', () => {
    follower.progress(0.4, 'step 4')
    follower.state(job)
    follower.progress(0.3, 'step 3')
    follower.progress(0.4, 'step 4')
    follower.state({ ...job, worker: 'other', assignedAt: 2 })
    follower.progress(0.1, 'step 1')
    expect(said).toEqual(['40 % step 4', 'running on gpu-box', 'running on other', '10 % step 1'])
  })

  it('[N18] without words is told in steps, and when it is all done', () => {
    for (const fraction of [0, 0.05, 0.1, 0.15, 0.95, 1, 1]) follower.progress(fraction, undefined)
    expect(said).toEqual(['0 %', '10 %', '95 %', '100 %'])
  })

  it('[N101] is told why it waits when that changes or nobody is ahead any more, not when numbers do', () => {
    follower.waiting(busy)
    follower.trouble('No answer.')
    follower.waiting({ ...busy, estimateMs: 5_000 })
    follower.waiting({ ...busy, ahead: 1 })
    follower.waiting({ ...busy, ahead: 0 })
    expect(said).toEqual([
      'pending: All workers for it are busy (slots). (2 ahead)',
      'No answer.',
      'pending: All workers for it are busy (slots).',
    ])
  })

  it('[N101] is told once of a machine that is too busy, with what to do, however its load changes', () => {
    for (const load of ['17.9', '17.8', '9.0']) {
      const because = [`load ${load} on 2 cores (limit 8)`]
      const sentence = `The workers for it take nothing new: ${because[0]}.`
      follower.waiting({ ...busy, reason: 'workers_unavailable', sentence, details: { because }, ahead: 0 })
    }
    follower.waiting({ ...busy, ahead: 0 })
    expect(said).toEqual([
      'pending: The workers for it take nothing new: load 17.9 on 2 cores (limit 8).',
      expect.stringMatching(/^ {2}Next: .*--however-busy \(worker, pool\) or --pool-however-busy \(start\)$/),
      'pending: All workers for it are busy (slots).',
    ])
  })

  it('[N101] is told what its last try failed with, also when that is another than before', () => {
    const backoff = { ...busy, reason: 'retry_backoff', sentence: 'The last attempt failed.', ahead: null }
    const failed = (message: string): JobView => {
      const error = { name: 'TypeError', message }
      const attempt = { worker: 'gpu-box', assignedAt: 1, acceptBy: 2, outcome: 'failed_retryable', error }
      const { assignedAt: _none, ...waiting } = job
      return { ...waiting, status: 'pending', attempts: [attempt] }
    }
    for (const message of ['no\nmass', 'no\nmass', 'no charge']) {
      follower.state(failed(message))
      follower.waiting(backoff)
    }
    expect(said).toEqual([
      'pending: The last attempt failed. Last try: TypeError: no mass',
      'pending: The last attempt failed. Last try: TypeError: no charge',
    ])
  })
})
