// Decides and hands out: snapshot, plan, claims, pushes. Woken by whatever could change a plan; wake-ups while a pass runs
// become one more pass. A store that cannot be reached pauses it: the next wake-up or poll tries again.

import { type Job, place, type WorkerId } from '@millrace/domain'
import type { ActiveJobs } from '../job/active-jobs.ts'
import { claimJobs } from '../job/claim-jobs.ts'
import type { PlacementClass } from './class-book.ts'
import { type Snapshot, type Surroundings, takeSnapshot } from './take-snapshot.ts'

export interface PlacementParts extends Surroundings {
  readonly active: ActiveJobs
  /** Jobs claimed for a worker that has gone meanwhile. */
  readonly returnJobs: (jobs: readonly Job[]) => Promise<void>
  readonly onFault: (fault: unknown) => void
  readonly onPass?: (durationMs: number) => void
}

/** A claim is one script or transaction; larger ones would hold up everybody else's. */
const maxClaim = 500

export class PlacementLoop {
  readonly #parts: PlacementParts
  #woken = false
  #pass: Promise<void> | null = null
  #stopped = false

  constructor(parts: PlacementParts) {
    this.#parts = parts
  }

  wake(): void {
    if (this.#stopped) return
    this.#woken = true
    this.#pass ??= this.#run()
  }

  /** No new pass begins; the one under way ends. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#woken = false
    await this.#pass
  }

  async #run(): Promise<void> {
    // Whatever happens in the same turn of the loop is one pass.
    await Promise.resolve()
    try {
      while (this.#woken) {
        this.#woken = false
        const began = performance.now()
        if (await this.#place()) this.#woken = !this.#stopped
        this.#parts.onPass?.(performance.now() - began)
      }
    } catch (fault) {
      this.#parts.onFault(fault)
    } finally {
      this.#pass = null
    }
  }

  /** Whether anything started: then slots or queues may have changed under the plan, and it is worth another look. */
  async #place(): Promise<boolean> {
    const { waiting, roster } = this.#parts
    if (waiting.pending === 0 || roster.size === 0) return false
    const snapshot = await takeSnapshot(this.#parts)
    const orders = ordersOf(place(snapshot.snapshot).assignments)
    const started = await Promise.all(
      [...orders].map(([key, workers]) => this.#claim(snapshot.classes.get(key), snapshot, workers)),
    )
    return started.some(Boolean)
  }

  async #claim(
    wanted: PlacementClass | undefined,
    { limits }: Snapshot,
    workers: readonly WorkerId[],
  ): Promise<boolean> {
    if (!wanted) return false
    const { store, active, waiting, starts } = this.#parts
    const { room, queue, acceptMs, maxRunning } = wanted
    const roomLimit = limits.get(room) ?? null
    const asked = workers.slice(0, maxClaim)
    const order = { room, queue, workers: asked, acceptMs, roomLimit, queueLimit: maxRunning }
    const jobs = await claimJobs(store, active, order)
    const limited = roomLimit !== null || maxRunning !== null
    waiting.taken(room, queue, jobs.length, jobs.length < asked.length && !limited)
    if (jobs.length === 0) return false
    const now = store.now()
    starts.set(room, now)
    starts.set(wanted.key, now)
    await this.#handOut(wanted, jobs)
    return true
  }

  async #handOut({ needs }: PlacementClass, jobs: readonly Job[]): Promise<void> {
    const { roster, returnJobs } = this.#parts
    const gone: Job[] = []
    for (const [worker, its] of byWorker(jobs)) {
      const stationed = roster.get(worker)
      if (!stationed) {
        gone.push(...its)
        continue
      }
      for (const { submission, attempt } of its) {
        if (attempt)
          roster.begin(worker, {
            room: submission.room,
            job: submission.id,
            token: attempt.token,
            need: needs,
          })
      }
      stationed.channel.assign(its)
    }
    if (gone.length > 0) await returnJobs(gone)
  }
}

function byWorker(jobs: readonly Job[]): ReadonlyMap<WorkerId, Job[]> {
  const groups = new Map<WorkerId, Job[]>()
  for (const job of jobs) {
    if (!job.attempt) continue
    const group = groups.get(job.attempt.worker)
    if (group) group.push(job)
    else groups.set(job.attempt.worker, [job])
  }
  return groups
}

/** By class, one worker for each job it shall get. */
function ordersOf(
  assignments: readonly { readonly class: string; readonly worker: WorkerId; readonly count: number }[],
): ReadonlyMap<string, readonly WorkerId[]> {
  const orders = new Map<string, WorkerId[]>()
  for (const { class: key, worker, count } of assignments) {
    const workers = orders.get(key) ?? []
    for (let n = 0; n < count; n++) workers.push(worker)
    orders.set(key, workers)
  }
  return orders
}
