// A job as the store keeps it: the submission is the body, the attempt stands beside the head, and the lists are those
// that pages ask for. No rule is here; what a job's status or queue is was decided in the domain.

import {
  dueAt,
  isTerminal,
  type Job,
  type JobId,
  jobOf,
  queueOf,
  type Submission,
  score,
  type TerminalStatus,
} from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'
import {
  decodeAttempt,
  decodeHead,
  decodeSubmission,
  encodeAttempt,
  encodeHead,
  encodeSubmission,
} from './job-text.ts'

export const jobChanged = 'job:state_changed'
const jobProgressed = 'job:progress'

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

/** Jobs of a queue that have not ended: what a version of an extension is kept for. */
export function openOfQueue(queue: string): string {
  return `open:${queue}`
}

/** Jobs of an extension that ended so, over the room's whole life. */
export function endedOfExtension(status: TerminalStatus, { scope, category, extension }: Submission): string {
  return `${status}:${scope}/${category}/${extension}`
}

export function isActive(job: Job): boolean {
  return job.status === 'assigned' || job.status === 'running'
}

/** A submission never changes afterwards, so only a new job is written with its body. */
export function putNewJob(job: Job): Put {
  const put = putOf(job, 0)
  put.body = encodeSubmission(job.submission)
  return put
}

export function putJob(job: Job, expect: number): Put {
  return putOf(job, expect)
}

// Filled in step by step: spreading what is there into a new object cost as much as encoding the head.
function putOf(job: Job, expect: number): { -readonly [Field in keyof Put]: Put[Field] } {
  const { submission, attempt } = job
  const due = dueAt(job)
  const put: ReturnType<typeof putOf> = {
    key: jobKey(submission.id),
    expect,
    head: encodeHead(job),
    lists: [extensionList(submission), userList(submission.submitter)],
    wideLists: job.deadLetter ? [statusList(job), deadLetterList] : [statusList(job)],
  }
  if (attempt) put.attempt = encodeAttempt(attempt)
  if (job.status === 'pending' && job.queued)
    put.queue = { name: queueOf(submission), score: score(submission) }
  if (due !== null) put.dueAt = due
  return put
}

export function jobOfRecord(record: StoredRecord): Job {
  const attempt = record.attempt === null ? null : decodeAttempt(record.attempt)
  return jobOf(decodeSubmission(record.body), decodeHead(record.head), attempt)
}

/** A new job is told with what a list shows of it; later events carry what changed. */
export function announceNewJob({ submission, status }: Job): Announcement {
  const { id, category, extension, submitter } = submission
  const event = { type: jobChanged, status, category, extension, submitter }
  return { subject: jobKey(id), event: JSON.stringify(event) }
}

export function announceJob(before: Job, job: Job): Announcement {
  return { subject: jobKey(job.submission.id), event: JSON.stringify(eventOf(before, job)) }
}

/** Progress is told by an event of its own: it changes no state, and whoever misses it has missed nothing lasting. */
function eventOf(before: Job, job: Job): Record<string, unknown> {
  const { status, attempt, progress, waitMs, runMs, cancel } = job
  if (isTerminal(status)) return { type: jobChanged, status, waitMs, runMs }
  if (status === before.status && progress !== before.progress && cancel === before.cancel)
    return { type: jobProgressed, fraction: progress?.fraction, message: progress?.message }
  return { type: jobChanged, status, worker: attempt?.worker, cancel: cancel?.stage }
}

function statusList({ status }: Job): StatusList {
  return status === 'assigned' || status === 'running' ? 'active' : status
}
