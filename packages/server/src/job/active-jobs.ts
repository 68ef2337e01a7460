// The jobs this replica has on its workers, as it last saw them committed. It saves a read for each report; it decides
// nothing, because a commit still checks the version, and a stale one makes the caller read.

import type { Job, JobId } from '@millrace/domain'

export interface KnownJob {
  readonly job: Job
  readonly version: number
}

export class ActiveJobs {
  readonly #jobs = new Map<JobId, KnownJob>()

  get(id: JobId): KnownJob | undefined {
    return this.#jobs.get(id)
  }

  remember(job: Job, version: number): void {
    this.#jobs.set(job.submission.id, { job, version })
  }

  forget(id: JobId): void {
    this.#jobs.delete(id)
  }

  get size(): number {
    return this.#jobs.size
  }
}
