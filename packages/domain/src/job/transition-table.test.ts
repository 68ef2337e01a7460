import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import type { Job, JobStatus } from './job.ts'
import type { JobEvent, JobEventType } from './job-event.ts'
import { pendingJob, sampleEvents, sampleJobs, sampleStart } from './sample-job.ts'
import { transition } from './transition.ts'
import { type Cell, transitionTable } from './transition-table.ts'

const afterEveryDeadline = sampleStart + 1e12
const statuses: readonly JobStatus[] = ['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']
const jobs: Record<JobStatus, Job> = { ...sampleJobs, pending: pendingJob({ runBy: sampleStart + 60_000 }) }

// Written by hand and not read off the table. '=' is acknowledged without a change, '!' a refusal.
const expected: Record<JobEventType, readonly string[]> = {
  assign: ['assigned', '!job_not_pending', '!job_not_pending', '!job_ended', '!job_ended', '!job_ended'],
  ready: ['=', '!job_not_pending', '!job_not_pending', '!job_ended', '!job_ended', '!job_ended'],
  start: ['!attempt_superseded', 'running', '=', '=', '=', '!job_ended'],
  reject: ['!attempt_superseded', 'pending', '!job_not_assigned', '!job_ended', '!job_ended', '!job_ended'],
  progress: ['!attempt_superseded', '!job_not_running', 'running', '=', '=', '!job_ended'],
  complete: ['!attempt_superseded', '!job_not_running', 'completed', '=', '!job_ended', '!job_ended'],
  fail: ['!attempt_superseded', '!job_not_running', 'pending', '!job_ended', '!job_ended', '!job_ended'],
  resume: ['!attempt_superseded', 'assigned', 'running', '!job_ended', '!job_ended', '!job_ended'],
  worker_lost: ['!attempt_superseded', 'pending', 'pending', '!job_ended', '!job_ended', '!job_ended'],
  server_stop: ['!attempt_superseded', 'pending', 'pending', '!job_ended', '!job_ended', '!job_ended'],
  cancel: ['cancelled', 'assigned', 'running', '!job_ended', '!job_ended', '='],
  cancel_stage: [
    '!attempt_superseded',
    '!cancel_not_requested',
    '!cancel_not_requested',
    '!job_ended',
    '!job_ended',
    '=',
  ],
  cancel_grace_passed: [
    '!cancel_not_requested',
    '!cancel_not_requested',
    '!cancel_not_requested',
    '!job_ended',
    '!job_ended',
    '!job_ended',
  ],
  acceptance_passed: [
    '!job_not_assigned',
    'pending',
    '!job_not_assigned',
    '!job_ended',
    '!job_ended',
    '!job_ended',
  ],
  execution_passed: [
    '!job_not_running',
    '!job_not_running',
    'pending',
    '!job_ended',
    '!job_ended',
    '!job_ended',
  ],
  run_by_passed: ['failed', '!job_not_pending', '!job_not_pending', '!job_ended', '!job_ended', '!job_ended'],
  redrive: ['!job_not_ended', '!job_not_ended', '!job_not_ended', 'completed', 'failed', 'cancelled'],
  expire: ['!job_not_ended', '!job_not_ended', '!job_not_ended', '=', '=', '='],
}

const cells = Object.entries(expected).flatMap(([event, row]) =>
  row.map((result, column) => ({
    event: sampleEvents[event as JobEventType] as JobEvent,
    status: statuses[column] as JobStatus,
    result,
  })),
)

function observe(job: Job, event: JobEvent): string {
  const answer = transition(job, event, afterEveryDeadline, 0)
  if (isRefusal(answer)) return `!${answer.refused}`
  return answer.next === job ? '=' : answer.next.status
}

describe('the transition table', () => {
  it('[J10] the table knows every status and every event that this matrix knows, and no other', () => {
    expect(Object.keys(transitionTable).sort()).toEqual([...statuses].sort())
    for (const status of statuses) {
      expect(Object.keys(transitionTable[status]).sort()).toEqual(Object.keys(expected).sort())
    }
  })

  it.each(cells)('[J10] $status × $event.type is $result', ({ status, event, result }) => {
    expect(jobs[status].status).toBe(status)
    expect(observe(jobs[status], event)).toBe(result)
  })

  it('[J10] a row of a terminal status leads nowhere but to itself', () => {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      const row: readonly Cell<never>[] = Object.values(transitionTable[status])
      const targets = row.flatMap((cell) => (typeof cell === 'string' ? [] : cell.leadsTo))
      expect(new Set(targets)).toEqual(new Set([status]))
    }
  })
})
