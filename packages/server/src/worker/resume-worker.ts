// What becomes of a worker's attempts when it returns: it carries on with those both sides know, drops those that have
// gone to others, and what it no longer knows of goes back to its queue at once.

import {
  type AttemptToken,
  isRefusal,
  type Job,
  type ResourceNeed,
  resumeAttempts,
  type Submission,
  type WorkerId,
} from '@millrace/domain'
import { applyReports, type ReportParts } from '../job/attempt-reports.ts'
import type { AssignedAttempts } from './assigned-attempts.ts'

export interface AttemptName {
  readonly room: string
  readonly job: string
  readonly token: string
}

export interface ResumeParts {
  readonly assigned: AssignedAttempts
  readonly reports: ReportParts
  readonly needsOf: (submission: Submission) => Promise<ResourceNeed>
}

export interface Resumed {
  readonly resumed: readonly AttemptName[]
  readonly dropped: readonly AttemptName[]
}

/** A worker that was never here before can have nothing assigned. */
export async function resumeWorker(
  parts: ResumeParts,
  worker: WorkerId,
  reported: readonly AttemptName[],
  wasHere: boolean,
): Promise<Resumed> {
  if (!wasHere) return { resumed: [], dropped: reported }
  const assigned = await parts.assigned.of(worker)
  const byToken = new Map(assigned.map((job) => [job.attempt?.token as AttemptToken, job]))
  const tokens = reported.map(({ token }) => token as AttemptToken)
  const { carryOn, superseded, lost } = resumeAttempts(tokens, [...byToken.keys()])

  await applyReports(parts.reports, [
    ...carryOn.map((token) => reportOf(byToken.get(token) as Job, 'resume')),
    ...lost.map((token) => reportOf(byToken.get(token) as Job, 'worker_lost')),
  ])
  for (const token of carryOn) await begin(parts, worker, byToken.get(token) as Job)

  const isNamed = (list: readonly AttemptToken[]) => (name: AttemptName) =>
    list.includes(name.token as AttemptToken)
  return { resumed: reported.filter(isNamed(carryOn)), dropped: reported.filter(isNamed(superseded)) }
}

function reportOf(job: Job, type: 'resume' | 'worker_lost'): Parameters<typeof applyReports>[1][number] {
  const token = job.attempt?.token as AttemptToken
  return { room: job.submission.room, job: job.submission.id, events: [{ type, token }] }
}

async function begin({ reports, needsOf }: ResumeParts, worker: WorkerId, job: Job): Promise<void> {
  const { submission, attempt } = job
  if (!attempt) return
  const need = await needsOf(submission)
  reports.roster.begin(worker, { room: submission.room, job: submission.id, token: attempt.token, need })
}

/** The attempts of a worker that was lost, all of them, whichever replica they were placed by. */
export async function loseAttempts(
  { assigned, reports }: Pick<ResumeParts, 'assigned' | 'reports'>,
  worker: WorkerId,
): Promise<number> {
  const jobs = await assigned.of(worker)
  const answers = await applyReports(
    reports,
    jobs.map((job) => reportOf(job, 'worker_lost')),
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
