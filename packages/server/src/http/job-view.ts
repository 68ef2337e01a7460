// Jobs as the wire shows them. Tokens stay behind: only the worker that was given one has it.

import type { Attempt, EndedAttempt, Job } from '@millrace/domain'
import type { AssignedJob, JobSummary, JobsPage as JobsPageView, JobView } from '@millrace/protocol'
import type { JobsPage } from '../job/list-jobs.ts'

export function jobSummary(job: Job): JobSummary {
  const { submission, attempt, ended, status, deadLetter, charged, waitMs, runMs, endedAt, progress, error } =
    job
  const { id, room, scope, category, extension, submitter, priority, createdAt } = submission
  const last = attempt ?? ended.at(-1)
  return {
    id,
    room,
    scope,
    category,
    extension,
    status,
    submitter,
    priority,
    createdAt,
    deadLetter,
    charged,
    ...(last && { worker: last.worker, assignedAt: last.assignedAt }),
    ...(last?.startedAt !== undefined && { startedAt: last.startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(waitMs !== undefined && { waitMs }),
    ...(runMs !== undefined && { runMs }),
    ...(progress && { progress }),
    ...(error && { error }),
  }
}

export function jobsPageView({ jobs, cursor, looked }: JobsPage): JobsPageView {
  return { jobs: jobs.map(jobSummary), looked, ...(cursor !== undefined && { cursor }) }
}

export function jobView(job: Job, result: string | undefined): JobView {
  const { submission, attempt, ended, retryAt, cancel, redrivenAs } = job
  const { schemaHash, data, policy, notBefore, runBy, redriveOf } = submission
  return {
    ...jobSummary(job),
    schemaHash,
    data,
    policy: { ...policy },
    attempts: [...ended, ...(attempt ? [attempt] : [])].map(attemptView),
    ...(result !== undefined && { result: JSON.parse(result) as unknown }),
    ...(notBefore !== undefined && { notBefore }),
    ...(runBy !== undefined && { runBy }),
    ...(retryAt !== undefined && { retryAt }),
    ...(cancel && { cancel }),
    ...(redriveOf !== undefined && { redriveOf }),
    ...(redrivenAs !== undefined && { redrivenAs }),
  }
}

function attemptView({ token: _token, ...attempt }: Attempt | EndedAttempt): JobView['attempts'][number] {
  return attempt
}

export function assignedView({ submission, attempt, charged }: Job): AssignedJob {
  const { id, room, scope, category, extension, schemaHash, data, submitter, policy } = submission
  if (!attempt) throw new Error(`job ${id} was to be assigned without an attempt`)
  return {
    id,
    room,
    token: attempt.token,
    scope,
    category,
    extension,
    schemaHash,
    data,
    submitter,
    charged,
    acceptBy: attempt.acceptBy,
    runLimitMs: policy.runLimitMs,
    cancelGraceMs: policy.cancelGraceMs,
  }
}
