// A job as the store keeps it: the submission is the body, the attempt stands beside the head, and the lists are those
// that pages ask for. No rule is here; what a job's status or queue is was decided in the domain.

import { dueAt, isTerminal, type Job, type JobId, jobOf, score } from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'
import { placesOf, wideListsOf } from './job-places.ts'
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

export function jobKey(id: JobId): RecordKey {
  return `job/${id}`
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
  const places = placesOf(submission)
  const due = dueAt(job)
  const put: ReturnType<typeof putOf> = {
    key: jobKey(submission.id),
    expect,
    head: encodeHead(job),
    lists: places.lists,
    wideLists: wideListsOf(job),
  }
  if (attempt) put.attempt = encodeAttempt(attempt)
  if (job.status === 'pending' && job.queued) put.queue = { name: places.queue, score: score(submission) }
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
