// The jobs this replica has on its workers, as it last saw them committed. It saves a read for each report that is
// applied, because the commit checks the version. Nothing else may be answered from it: another replica may have moved
// the job on, and a refusal reaches no commit that would notice.

import type { Job, JobId } from '@millrace/domain'

export interface KnownJob {
  readonly job: Job
  readonly version: number
}

export class ActiveJobs {
  readonly #jobs = new Map<string, KnownJob>()

  get(room: string, id: JobId): KnownJob | undefined {
    return this.#jobs.get(`${room}/${id}`)
  }

  remember({ job, version }: KnownJob): void {
    this.#jobs.set(`${job.submission.room}/${job.submission.id}`, { job, version })
  }

  forget(room: string, id: JobId): void {
    this.#jobs.delete(`${room}/${id}`)
  }

  get size(): number {
    return this.#jobs.size
  }
}
