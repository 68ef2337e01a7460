// A job as the store keeps it: the submission is the body, the attempt stands beside the head, and the lists are those
// that pages ask for. No rule is here; what a job's status or queue is was decided in the domain.

import { type Attempt, dueAt, type Job, type JobId, jobOf, type RoomName, score } from '@millrace/domain'
import type { Put, RecordKey, StoredRecord } from '../ports/store.ts'
import { placesOf, wideListsOf } from './job-places.ts'
import { decodeAttempt, decodeHead, encodeAttempt, encodeHead } from './job-text.ts'
import { decodeSubmission, encodeSubmission } from './submission-text.ts'

const keyStart = 'job/'

export function jobKey(id: JobId): RecordKey {
  return keyStart + id
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
  return jobWith(record, record.attempt === null ? null : decodeAttempt(record.attempt))
}

/** Of a record whose attempt is known to whoever asks. */
export function jobWith({ partition, key, body, head }: StoredRecord, attempt: Attempt | null): Job {
  const at = { room: partition as RoomName, id: key.slice(keyStart.length) as JobId }
  return jobOf(decodeSubmission(body, at), decodeHead(head), attempt)
}
