import { describe, expect, it } from 'vitest'
import {
  completedReport,
  failedReport,
  progressReport,
  type Report,
  startedReport,
  stoppedReport,
} from './report.ts'
import { sampleProblem, sampleRef } from './sample-line.ts'
import { type Verdict, verdictOn } from './verdict.ts'

const ref = sampleRef('a')
const start = startedReport(ref)
const progress = progressReport(ref, 0.5)
const done = completedReport(ref, 1, 8)
const failure = failedReport(ref, { message: 'no' }, true)
const stop = stoppedReport(ref, 'stopped')

describe('an answer to a report', () => {
  it('[K7] with a status means that the server has it', () => {
    expect(verdictOn(done, { status: 'completed' })).toBe('heard')
  })

  it.each<[Report, string, number, Verdict]>([
    [start, 'attempt_superseded', 409, 'gone'],
    [progress, 'attempt_superseded', 409, 'gone'],
    [done, 'job_ended', 409, 'gone'],
    [done, 'job_not_found', 404, 'gone'],
    [stop, 'cancel_not_requested', 409, 'gone'],
    [failure, 'not_json', 422, 'gone'],
    [done, 'json_too_large', 413, 'unacceptable'],
    [progress, 'job_not_running', 409, 'ignored'],
    [done, 'store_unavailable', 503, 'again'],
    [progress, 'rate_limited', 429, 'again'],
  ])('[K7] %j refused as %s (%i) is %s', (report, code, status, verdict) => {
    expect(verdictOn(report, { problem: sampleProblem(code, status) })).toBe(verdict)
  })
})
