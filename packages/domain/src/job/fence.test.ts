import { describe, expect, it } from 'vitest'
import type { AttemptToken } from '../ids.ts'
import type { AttemptEvent, JobEvent } from './job-event.ts'
import {
  assignTo,
  fatalFailure,
  granted,
  runningJob,
  sampleEvents,
  sampleJobs,
  sampleStart,
  sampleToken,
  walk,
} from './sample-job.ts'
import { transition } from './transition.ts'

const now = sampleStart + 1e6
const attemptEvents = Object.values(sampleEvents).filter((event): event is AttemptEvent => 'token' in event)
const strange = 'another' as AttemptToken
const secondToken = 'token-2' as AttemptToken
const reassigned = walk(runningJob(), sampleEvents.worker_lost, assignTo(secondToken, now))

describe('the fence', () => {
  it.each(Object.values(sampleJobs))('[J8] a $status job refuses every report of an unknown token', (job) => {
    expect(attemptEvents).toHaveLength(9)
    for (const event of attemptEvents) {
      expect(transition(job, { ...event, token: strange }, now, 0)).toMatchObject({
        refused: 'attempt_superseded',
      })
    }
  })

  it('[J8] the first worker of a job that went on to a second one is refused', () => {
    for (const event of attemptEvents.filter(({ type }) => type !== 'worker_lost')) {
      expect(transition(reassigned, event, now, 0)).toMatchObject({ refused: 'attempt_superseded' })
    }
  })

  it('[J8] an earlier attempt is superseded after the end too, and only the last one hears job_ended', () => {
    const start: JobEvent = { type: 'start', token: secondToken }
    const done = walk(reassigned, start, { type: 'complete', token: secondToken })
    expect(transition(done, sampleEvents.complete, now, 0)).toMatchObject({ refused: 'attempt_superseded' })
    const resume: JobEvent = { type: 'resume', token: secondToken }
    expect(transition(done, resume, now, 0)).toMatchObject({ refused: 'job_ended' })
  })
})

describe('repeated reports', () => {
  it('[J7] a completed job acknowledges the same completion again and applies it once', () => {
    const job = sampleJobs.completed
    const again = granted(transition(job, sampleEvents.complete, now, 0))
    expect(again.next).toBe(job)
    expect(again.effects).toEqual([])
  })

  it('[J7] a report repeated from its start on is acknowledged as a whole', () => {
    for (const event of [sampleEvents.start, sampleEvents.progress, sampleEvents.complete]) {
      expect(granted(transition(sampleJobs.completed, event, now, 0)).next).toBe(sampleJobs.completed)
    }
  })

  it('[J9] a failure repeated from its start on is acknowledged while the job waits for its next try', () => {
    const waiting = walk(runningJob(), sampleEvents.fail)
    for (const event of [sampleEvents.start, sampleEvents.fail]) {
      expect(granted(transition(waiting, event, now, 0)).next).toBe(waiting)
    }
  })

  it('[J8] the start of an attempt that was lost is refused, so that its worker stops', () => {
    const lost = walk(runningJob(), sampleEvents.worker_lost)
    expect(transition(lost, sampleEvents.start, now, 0)).toMatchObject({ refused: 'attempt_superseded' })
  })

  it('[J7] a completed job refuses a failure of the same attempt, and a failed one its completion', () => {
    expect(transition(sampleJobs.completed, sampleEvents.fail, now, 0)).toMatchObject({
      refused: 'job_ended',
    })
    expect(transition(sampleJobs.failed, sampleEvents.complete, now, 0)).toMatchObject({
      refused: 'job_ended',
    })
  })

  it.each([
    ['failure', runningJob(), sampleEvents.fail],
    ['fatal failure', runningJob(), fatalFailure],
    ['rejection', sampleJobs.assigned, sampleEvents.reject],
    ['loss', runningJob(), sampleEvents.worker_lost],
    ['stop', runningJob(), sampleEvents.server_stop],
  ] as const)('[J9] the same %s again is acknowledged and changes nothing', (_what, job, event) => {
    const once = walk(job, event)
    const again = granted(transition(once, event, now, 0))
    expect(again.next).toBe(once)
    expect(again.effects).toEqual([])
  })

  it('[J9] a failure is acknowledged again when another worker already has the job', () => {
    const elsewhere = walk(runningJob(), sampleEvents.fail, assignTo(secondToken, now))
    expect(granted(transition(elsewhere, sampleEvents.fail, now, 0)).next).toBe(elsewhere)
    const other = { ...fatalFailure, token: sampleToken }
    expect(transition(elsewhere, other, now, 0)).toMatchObject({ refused: 'attempt_superseded' })
  })
})
