import type { AttemptToken, Job, JobId, RoomName, SchemaHash, UserName, WorkerId } from '@millrace/domain'
import { defaultPolicy } from '@millrace/domain'
import { expect, it } from 'vitest'
import { assignedView } from '../http/job-view.ts'
import { assignedText } from './assigned-text.ts'

function job(n: number, its: Partial<Job['submission']> = {}): Job {
  return {
    submission: {
      id: `0193-${n}` as JobId,
      room: 'lab' as RoomName,
      scope: 'room',
      category: 'analysis',
      extension: 'Noop',
      schemaHash: 'h' as SchemaHash,
      data: { n, text: 'it said "so"\n' },
      submitter: 'ann' as UserName,
      priority: 5,
      createdAt: 1_000,
      policy: defaultPolicy,
      ...its,
    },
    status: 'assigned',
    queued: false,
    ended: [],
    charged: n % 3,
    uncharged: 0,
    deadLetter: false,
    history: [],
    attempt: {
      token: `t-${n}` as AttemptToken,
      worker: 'w' as WorkerId,
      assignedAt: 2_000,
      acceptBy: 7_000 + n,
    },
  }
}

it('[M221] a worker that is pushed jobs is told the same of each as one that asks for it', () => {
  const jobs = [
    job(1),
    job(2),
    job(3, { data: null }),
    job(4, { extension: 'A "quoted" one', submitter: 'bob' as UserName }),
    // Each differs from its neighbour in one thing alone.
    job(5),
    job(9, { room: 'other' as RoomName }),
    job(10),
    job(11, { scope: 'global' }),
    job(12),
    job(13, { category: 'modifiers' }),
    job(14),
    job(15, { submitter: 'bob' as UserName }),
    job(16),
    job(17, { extension: 'Other' }),
    job(18),
    job(6, { policy: { ...defaultPolicy, runLimitMs: 7, cancelGraceMs: 9 } }),
    job(7, { schemaHash: 'another' as SchemaHash }),
    job(8),
  ]
  const told: unknown = JSON.parse(assignedText(jobs).text)
  expect(told).toEqual(jobs.map(assignedView))
  expect(JSON.parse(JSON.stringify(assignedText(jobs)))).toEqual(told)
})
