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

  it('[N21] is told why it waits when that or its place changes, not when the estimate does', () => {
    follower.waiting(busy)
    follower.trouble('No answer.')
    follower.waiting({ ...busy, estimateMs: 5_000 })
    follower.waiting({ ...busy, ahead: 1 })
    expect(said).toEqual([
      'pending: All workers for it are busy (slots). (2 ahead)',
      'No answer.',
      'pending: All workers for it are busy (slots). (1 ahead)',
    ])
  })
})
