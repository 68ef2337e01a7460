// The jobs this replica has on its workers, as it last saw them committed. It saves a read for each report that is
// applied, because the commit checks the version. Nothing else may be answered from it: another replica may have moved
// the job on, and a refusal reaches no commit that would notice.

import type { Job, JobId } from '@millrace/domain'

export interface KnownJob {
  readonly job: Job
  readonly version: number
}

export class ActiveJobs {
  /** Ids are unique over all rooms; a room that is named beside one still has to be the job's own. */
  readonly #jobs = new Map<JobId, KnownJob>()

  get(room: string, id: JobId): KnownJob | undefined {
    const known = this.#jobs.get(id)
    return known?.job.submission.room === room ? known : undefined
  }

  /** Answers of the store may come in another order than it gave them; the older is not kept. */
  remember(known: KnownJob): void {
    const { id } = known.job.submission
    if (known.version >= (this.#jobs.get(id)?.version ?? 0)) this.#jobs.set(id, known)
  }

  forget(room: string, id: JobId): void {
    if (this.get(room, id)) this.#jobs.delete(id)
  }

  forgetAll(): void {
    this.#jobs.clear()
  }

  get size(): number {
    return this.#jobs.size
  }
}
