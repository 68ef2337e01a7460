// What becomes of a worker's attempts when it returns: it carries on with those both sides know, drops those that have
// gone to others, and what it no longer knows of goes back to its queue at once.

import {
  type AttemptToken,
  isRefusal,
  type Job,
  resumeAttempts,
  type Submission,
  type WorkerId,
} from '@millrace/domain'
import { applyReports, type ReportParts } from '../job/attempt-reports.ts'
import type { AssignedAttempts } from './assigned-attempts.ts'
import type { Hold, RunningAttempt, StopOrder } from './roster.ts'

export interface AttemptName {
  readonly room: string
  readonly job: string
  readonly token: string
}

export interface ResumeParts {
  readonly assigned: AssignedAttempts
  readonly reports: ReportParts
  readonly holdOf: (submission: Submission) => Promise<Hold>
}

export interface Resumed {
  readonly resumed: readonly AttemptName[]
  readonly dropped: readonly AttemptName[]
  /** What it goes on with, for whoever keeps count of its slots. */
  readonly running: readonly RunningAttempt[]
  /** Of these, what was cancelled while it was away and could not hear it. */
  readonly stop: readonly StopOrder[]
}

/**
 * A worker that was never here before can have nothing assigned. It must not be given jobs until this is over: one that
 * was pushed meanwhile would look like an attempt the worker has forgotten.
 */
export async function resumeWorker(
  parts: ResumeParts,
  worker: WorkerId,
  reported: readonly AttemptName[],
  wasHere: boolean,
): Promise<Resumed> {
  if (!wasHere) return { resumed: [], dropped: reported, running: [], stop: [] }
  const assigned = await parts.assigned.of(worker)
  const byToken = new Map(assigned.map((job) => [job.attempt?.token as AttemptToken, job]))
  const tokens = reported.map(({ token }) => token as AttemptToken)
  const { carryOn, superseded, lost } = resumeAttempts(tokens, [...byToken.keys()])

  const answers = await applyReports(parts.reports, [
    ...carryOn.map((token) => reportOf(byToken.get(token) as Job, 'resume')),
    ...lost.map((token) => reportOf(byToken.get(token) as Job, 'worker_lost')),
  ])
  // One that ended since it was looked up is over; nobody would tell the worker if it were not told now.
  const resumed = carryOn.filter((_, at) => !isRefusal(answers[at]))
  const dropped = [...superseded, ...carryOn.filter((token) => !resumed.includes(token))]
  const running = await Promise.all(
    resumed.map((token) => runningOf(parts, byToken.get(token) as Job, token)),
  )

  const isNamed = (list: readonly AttemptToken[]) => (name: AttemptName) =>
    list.includes(name.token as AttemptToken)
  return {
    resumed: reported.filter(isNamed(resumed)),
    dropped: reported.filter(isNamed(dropped)),
    running,
    stop: running
      .filter(({ token }) => byToken.get(token)?.cancel !== undefined)
      .map(({ room, job, token }) => ({ room, job, token, how: 'abort' })),
  }
}

/** Why a worker has an attempt no more. */
export type AttemptLoss = 'worker_lost' | 'server_stop'

function reportOf(job: Job, type: 'resume' | AttemptLoss): Parameters<typeof applyReports>[1][number] {
  const token = job.attempt?.token as AttemptToken
  return { room: job.submission.room, job: job.submission.id, events: [{ type, token }] }
}

async function runningOf(
  { holdOf }: ResumeParts,
  { submission }: Job,
  token: AttemptToken,
): Promise<RunningAttempt> {
  return { job: submission.id, token, ...(await holdOf(submission)) }
}

/** The attempts of a worker that was lost, all of them, whichever replica they were placed by. */
export async function loseAttempts(
  { assigned, reports }: Pick<ResumeParts, 'assigned' | 'reports'>,
  worker: WorkerId,
  why: AttemptLoss,
): Promise<number> {
  const jobs = await assigned.of(worker)
  const answers = await applyReports(
    reports,
    jobs.map((job) => reportOf(job, why)),
  )
  return answers.filter((answer) => !isRefusal(answer)).length
}

/** Jobs claimed for a worker that had gone by the time they were to be pushed. */
export async function returnJobs(reports: ReportParts, jobs: readonly Job[]): Promise<void> {
  await applyReports(
    reports,
    jobs.map((job) => reportOf(job, 'worker_lost')),
  )
}
