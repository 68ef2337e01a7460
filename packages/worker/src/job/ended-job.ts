// A job that came to its end here, as the program around the worker is told of it.

import type { Report } from '../report/report.ts'
import type { EndedJob } from '../worker/worker-events.ts'
import type { Attempt } from './attempt.ts'

/** With the report that the server gets of it; null when it gets none. */
export function endedJob({ assigned, startedAt }: Attempt, report: Report | null): EndedJob {
  const { id, room, category, extension } = assigned
  const runMs = performance.now() - startedAt
  return { id, room, category, extension, runMs, ...endOf(report) }
}

function endOf(report: Report | null): Pick<EndedJob, 'outcome' | 'error' | 'retryable'> {
  switch (report?.event) {
    case 'job:completed':
      return { outcome: 'completed' }
    case 'job:failed':
      return { outcome: 'failed', error: report.entry.error, retryable: report.entry.retryable ?? true }
    case 'job:stopped':
      return { outcome: 'cancelled' }
    case 'job:rejected':
      return { outcome: 'rejected' }
    default:
      return { outcome: 'left' }
  }
}
