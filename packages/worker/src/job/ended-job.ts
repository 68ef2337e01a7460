// A job that came to its end here, as the program around the worker is told of it.

import type { Report } from '../report/report.ts'
import type { EndedJob } from '../worker/worker-events.ts'
import type { Attempt } from './attempt.ts'

/** As the server has acknowledged it; `left` when it was not told. */
export function endedJob(attempt: Attempt): EndedJob {
  return { ...headOf(attempt), ...endOf(attempt.lastWord) }
}

/** One whose end the server did not take, or not for all that is known. A job that was not to go on is no loss. */
export function unheardJob(attempt: Attempt, outcome: 'late' | 'unsure'): EndedJob {
  const event = attempt.lastWord?.event
  if (event !== 'job:completed' && event !== 'job:failed') return endedJob(attempt)
  return { ...headOf(attempt), outcome }
}

function headOf({ assigned, startedAt, endedAt }: Attempt): Omit<EndedJob, 'outcome'> {
  const { id, room, category, extension } = assigned
  return { id, room, category, extension, runMs: endedAt - startedAt }
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
