// What an answer to a report means for the attempt it was about.

import type { Problem, ReportAnswer } from '@millrace/protocol'
import { isLast, type Report } from './report.ts'

export type Verdict =
  /** The server has it. */
  | 'heard'
  /** It could not be dealt with now: the same report has to be sent again. */
  | 'again'
  /** The attempt is no longer this worker's: drop it and stop its handler. */
  | 'gone'
  /** The outcome itself was not acceptable, and the job has to hear of another. */
  | 'unacceptable'
  /** Not acceptable and not important: the job goes on without it. */
  | 'ignored'

const goneCodes: ReadonlySet<string> = new Set(['attempt_superseded', 'job_ended', 'job_not_found'])

export function verdictOn(report: Report, answer: ReportAnswer): Verdict {
  if (!('problem' in answer)) return 'heard'
  if (isPassing(answer.problem)) return 'again'
  if (goneCodes.has(answer.problem.code)) return 'gone'
  if (report.event === 'job:completed') return 'unacceptable'
  // Whatever else was wrong with a last word, there is no other to say.
  return isLast(report) || report.event === 'job:started' ? 'gone' : 'ignored'
}

/** It is not the request that is wrong but the moment. */
export function isPassing({ status }: Problem): boolean {
  return status >= 500 || status === 429 || status === 408
}
