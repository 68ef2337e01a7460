// What a case about jobs works with: a store, rooms nobody else uses, and short ways to submit, claim and report.

import { randomUUID } from 'node:crypto'
import {
  type AttemptToken,
  defaultPolicy,
  isRefusal,
  type Job,
  type JobError,
  type JobEventOf,
  type JobId,
  queueOf,
  type RoomName,
  type SchemaHash,
  type Submission,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import {
  ActiveJobs,
  claimJobs,
  type JobReport,
  type JobsPage,
  type JobsQuery,
  listJobs,
  newId,
  type Reported,
  reportJobs,
  type Store,
  submitJobs,
} from '@millrace/server'
import { expect } from 'vitest'

export interface JobCase {
  readonly title: string
  readonly run: (scene: JobScene) => Promise<void>
}

export const worker: WorkerId = 'worker-1' as WorkerId
const relax = {
  scope: 'room',
  category: 'modifiers',
  extension: 'Relax',
  schemaHash: 'h1' as SchemaHash,
} as const

export class JobScene {
  readonly store: Store
  readonly queue: string = queueOf(relax)
  readonly #active = new ActiveJobs()

  constructor(store: Store) {
    this.store = store
  }

  newRoom(): string {
    return `room-${randomUUID().slice(0, 12)}`
  }

  submission(room: string, parts: Partial<Submission> = {}): Submission {
    const createdAt = parts.createdAt ?? this.store.now()
    return {
      ...relax,
      id: newId(createdAt) as JobId,
      room: room as RoomName,
      data: { steps: 1 },
      submitter: 'alice' as UserName,
      priority: 5,
      createdAt,
      policy: defaultPolicy,
      ...parts,
    }
  }

  async submitted(room: string, ...all: readonly Submission[]): Promise<void> {
    expect(isRefusal(await submitJobs(this.store, room, all))).toBe(false)
  }

  claimed(room: string, count: number, roomLimit: number | null = null): Promise<readonly Job[]> {
    const workers = Array.from({ length: count }, () => worker)
    const order = { room, queue: this.queue, workers, acceptMs: 10_000, roomLimit, queueLimit: null }
    return claimJobs(this.store, this.#active, order)
  }

  report(
    room: string,
    reports: readonly JobReport[],
    known: ActiveJobs = this.#active,
  ): Promise<readonly Reported[]> {
    return reportJobs(this.store, known, room, reports, () => 0.5)
  }

  async finished(room: string, jobs: readonly Job[]): Promise<void> {
    await this.report(room, jobs.map(completion))
  }

  page(room: string | null, parts: Partial<JobsQuery> = {}): Promise<JobsPage> {
    return listJobs(this.store, { room, filter: {}, order: 'newest', limit: 100, ...parts })
  }

  async onlyJob(room: string): Promise<Job> {
    const { jobs } = await this.page(room)
    expect(jobs).toHaveLength(1)
    return jobs[0] as Job
  }
}

export function idOf(job: Job | undefined): JobId {
  return job?.submission.id ?? ('' as JobId)
}

export function tokenOf(job: Job | undefined): AttemptToken {
  return job?.attempt?.token ?? ('' as AttemptToken)
}

export function completion(job: Job): JobReport {
  const token = tokenOf(job)
  return {
    job: idOf(job),
    events: [
      { type: 'start', token },
      { type: 'complete', token },
    ],
  }
}

export function failure(job: Job | undefined, retryable: boolean, error: JobError): JobEventOf<'fail'> {
  return { type: 'fail', token: tokenOf(job), retryable, error }
}
