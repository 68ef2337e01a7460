// A worker's report by REST, in the words of the seeds (`processing` is `running`), turned into the same events that a
// socket's messages are turned into.

import {
  type AttemptToken,
  type Caller,
  isRefusal,
  type JobError,
  type JobId,
  type JobStatus,
  type Refusal,
  type Room,
  refuse,
} from '@millrace/domain'
import { logAttempt, type ReportParts, reportAttempts } from './attempt-reports.ts'
import type { ReportedEvent } from './report-jobs.ts'
import { resultText } from './result-text.ts'

export interface StatusReport {
  readonly token: string
  readonly status: 'running' | 'processing' | 'completed' | 'failed' | 'rejected'
  readonly progress?: number
  readonly message?: string
  readonly result?: unknown
  readonly error?: JobError
  readonly retryable?: boolean
  readonly log?: readonly string[]
  /** The number of the first line in `log`. */
  readonly first?: number
}

export interface RestReportParts {
  readonly reports: ReportParts
  readonly limits: { readonly resultMaxBytes: number }
}

export async function reportByRest(
  { reports, limits }: RestReportParts,
  who: Caller,
  room: Room,
  job: JobId,
  body: StatusReport,
): Promise<{ readonly status: JobStatus } | Refusal> {
  const token = body.token as AttemptToken
  const result = resultText(body.result, limits.resultMaxBytes)
  if (isRefusal(result)) return result
  const refusal = await logLines(reports, who, { room: room.name, job, token }, body)
  if (refusal !== null) return refusal
  const report = {
    room: room.name,
    job,
    token,
    events: eventsOf(body, token, result),
  }
  const [answer] = await reportAttempts(reports, who.user, [report])
  if (!answer || isRefusal(answer)) return answer ?? refuse('job_not_found')
  return { status: answer.job.status }
}

/** The lines are not worth the report that they came with; whether an attempt is over, the report itself is told. */
async function logLines(
  reports: ReportParts,
  who: Caller,
  attempt: Parameters<typeof logAttempt>[2],
  { log: lines = [], first }: StatusReport,
): Promise<Refusal | null> {
  if (lines.length === 0) return null
  const logged = await logAttempt(reports, who.user, attempt, {
    lines,
    ...(first !== undefined && { first }),
  })
  if (!isRefusal(logged)) return null
  return logged.refused === 'log_too_fast' || logged.refused === 'attempt_superseded' ? null : logged
}

/** Whoever reports an end may never have reported the beginning: starting again changes nothing. */
function eventsOf(
  { status, progress, message, error, retryable }: StatusReport,
  token: AttemptToken,
  result: string | undefined,
): ReportedEvent[] {
  const start: ReportedEvent = { type: 'start', token }
  switch (status) {
    case 'running':
    case 'processing':
      return progress === undefined
        ? [start]
        : [start, { type: 'progress', token, fraction: progress, ...(message !== undefined && { message }) }]
    case 'completed':
      return [start, { type: 'complete', token, ...(result !== undefined && { result }) }]
    case 'failed': {
      const told = error ?? { message: message ?? 'the worker gave no reason' }
      return [start, { type: 'fail', token, retryable: retryable ?? true, error: told }]
    }
    case 'rejected':
      return [{ type: 'reject', token, ...(message !== undefined && { reason: message }) }]
  }
}
