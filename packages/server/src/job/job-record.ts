// A job as the store keeps it: the submission is the body, the attempt stands beside the head, and the lists are those
// that pages ask for. No rule is here; what a job's status or queue is was decided in the domain.

import {
  type Attempt,
  dueAt,
  headOf,
  isTerminal,
  type Job,
  type JobHead,
  type JobId,
  jobOf,
  queueOf,
  type Submission,
  score,
} from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'

/** Lists kept across rooms. A job stands in one of the first five; `dead` holds the dead letters not yet redriven. */
export type StatusList = 'pending' | 'active' | 'completed' | 'failed' | 'cancelled'
export const statusLists: readonly StatusList[] = ['pending', 'active', 'completed', 'failed', 'cancelled']
export const deadLetterList = 'dead'

/** Jobs assigned or running in the room; the room's limit is checked against it at the claim. */
export const runningCounter = 'running'

export function jobKey(id: JobId): RecordKey {
  return `job/${id}`
}

export function extensionList({ category, extension }: Pick<Submission, 'category' | 'extension'>): string {
  return `extension:${category}/${extension}`
}

export function userList(submitter: string): string {
  return `user:${submitter}`
}

export function runningOfQueue(queue: string): string {
  return `running:${queue}`
}

export function isActive(job: Job): boolean {
  return job.status === 'assigned' || job.status === 'running'
}

/** `withBody` for a new job only: a submission never changes afterwards. */
export function putJob(job: Job, { withBody }: { withBody: boolean }): Put {
  const { submission, attempt } = job
  const due = dueAt(job)
  return {
    key: jobKey(submission.id),
    head: JSON.stringify(headOf(job)),
    ...(attempt && { attempt: JSON.stringify(attempt) }),
    ...(withBody && { body: JSON.stringify(submission) }),
    lists: [extensionList(submission), userList(submission.submitter)],
    wideLists:
      job.deadLetter && job.redrivenAs === undefined ? [statusList(job), deadLetterList] : [statusList(job)],
    ...(job.status === 'pending' &&
      job.queued && { queue: { name: queueOf(submission), score: score(submission) } }),
    ...(due !== null && { dueAt: due }),
  }
}

export function jobOfRecord(record: StoredRecord): Job {
  const attempt = record.attempt === null ? null : (JSON.parse(record.attempt) as Attempt)
  return jobOf(JSON.parse(record.body) as Submission, JSON.parse(record.head) as JobHead, attempt)
}

export function announceJob(job: Job): Announcement {
  const { submission, status, attempt, progress } = job
  return {
    subject: jobKey(submission.id),
    event: JSON.stringify({
      type: 'job:state_changed',
      status,
      extension: submission.extension,
      category: submission.category,
      ...(attempt && { worker: attempt.worker }),
      ...(progress && { progress }),
      ...(isTerminal(job.status) && { waitMs: job.waitMs, runMs: job.runMs }),
    }),
  }
}

function statusList({ status }: Job): StatusList {
  return status === 'assigned' || status === 'running' ? 'active' : status
}
