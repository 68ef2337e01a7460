// One job as it is now, with its result where it has one.

import { type HistoryEntry, historyOf, type Job, type JobId, type Refusal, refuse } from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { jobKey, jobOfRecord } from './job-record.ts'

export interface JobWithResult {
  readonly job: Job
  /** JSON text; absent when the job has none. */
  readonly result?: string
}

export async function readJob(store: Store, room: string, id: JobId): Promise<JobWithResult | Refusal> {
  const [record, beside] = await store.read(room, [jobKey(id), `result/${id}`])
  if (!record) return refuse('job_not_found')
  const job = jobOfRecord(record)
  const result = job.result ?? beside?.body
  return { job, ...(result !== undefined && { result }) }
}

export function jobHistory(job: Job): HistoryEntry[] {
  return [...historyOf(job)]
}
