// Which jobs the store says a worker has. Asked when a worker returns or is lost, which happens to many at once after an
// outage: whoever asks while a walk is under way shares the next one.

import type { Job, WorkerId } from '@millrace/domain'
import { jobOfRecord } from '../job/job-record.ts'
import type { Store } from '../ports/store.ts'

const recordsAtOnce = 500

type ByWorker = ReadonlyMap<WorkerId, readonly Job[]>

export class AssignedAttempts {
  readonly #store: Store
  #current: Promise<unknown> = Promise.resolve()
  #next: Promise<ByWorker> | null = null

  constructor(store: Store) {
    this.#store = store
  }

  async of(worker: WorkerId): Promise<readonly Job[]> {
    this.#next ??= this.#queueWalk()
    const walked = await this.#next
    return walked.get(worker) ?? []
  }

  /** It begins after the one under way has ended, so it sees all that was committed before it was asked for. */
  async #queueWalk(): Promise<ByWorker> {
    await this.#current.catch(() => undefined)
    const walk = this.#walk()
    this.#next = null
    this.#current = walk
    return walk
  }

  async #walk(): Promise<ByWorker> {
    const byWorker = new Map<WorkerId, Job[]>()
    for (let after: string | undefined; ; ) {
      const bounds = after === undefined ? {} : { after }
      const query = {
        partition: null,
        lists: ['active'],
        order: 'oldest',
        limit: recordsAtOnce,
        ...bounds,
      } as const
      const records = await this.#store.list(query)
      for (const record of records) {
        const job = jobOfRecord(record)
        if (!job.attempt) continue
        const jobs = byWorker.get(job.attempt.worker)
        if (jobs) jobs.push(job)
        else byWorker.set(job.attempt.worker, [job])
      }
      if (records.length < recordsAtOnce) return byWorker
      after = records.at(-1)?.key
    }
  }
}
