// Decides and hands out: snapshot, plan, claims, pushes. Woken by whatever could change a plan; wake-ups while a pass runs
// become one more pass. A store that cannot be reached pauses it: the next wake-up or poll tries again.

import { type Job, place, type WorkerId } from '@millrace/domain'
import type { ActiveJobs } from '../job/active-jobs.ts'
import { claimJobs } from '../job/claim-jobs.ts'
import type { Hold } from '../worker/roster.ts'
import type { PlacementClass } from './class-book.ts'
import { type Surroundings, takeSnapshot } from './take-snapshot.ts'

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
  readonly #claims = new Set<Promise<void>>()
  #stopped = false

  constructor(parts: PlacementParts) {
    this.#parts = parts
  }

  wake(): void {
    if (this.#stopped) return
    this.#woken = true
    this.#pass ??= this.#run()
  }

  /** No new pass begins; what is under way ends. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#woken = false
    await this.#pass
    await Promise.all(this.#claims)
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

  /** Whether more could be claimed than one claim takes: then the rest is looked at again. */
  async #place(): Promise<boolean> {
    const { waiting, roster } = this.#parts
    if (waiting.pending === 0 || roster.size === 0) return false
    const snapshot = await takeSnapshot(this.#parts)
    let more = false
    for (const [key, workers] of ordersOf(place(snapshot.snapshot).assignments)) {
      const wanted = snapshot.classes.get(key)
      if (!wanted) continue
      more ||= workers.length > maxClaim
      this.#launch(wanted, snapshot.limits.get(wanted.room) ?? null, workers.slice(0, maxClaim))
    }
    return more
  }

  /**
   * Claims without waiting for the answer: the next pass plans with what is left. Were a pass to wait, a slot that came
   * free meanwhile would idle for as long as a disk takes to sync.
   */
  #launch(wanted: PlacementClass, roomLimit: number | null, workers: readonly WorkerId[]): void {
    const { roster, waiting, onFault, shorts } = this.#parts
    const { room, queue, needs } = wanted
    const hold = { need: needs, short: shorts.isShort(wanted) }
    const head = waiting.get(room, queue)?.headScore ?? 0
    waiting.taken(room, queue, workers.length)
    for (const worker of workers) roster.reserve(worker, hold)
    const claim = this.#claim(wanted, hold, roomLimit, workers, head).catch(onFault)
    this.#claims.add(claim)
    void claim.then(() => this.#claims.delete(claim))
  }

  async #claim(
    wanted: PlacementClass,
    hold: Hold,
    roomLimit: number | null,
    workers: readonly WorkerId[],
    headScore: number,
  ): Promise<void> {
    const { store, active, waiting, roster, starts } = this.#parts
    const { room, queue, acceptMs, maxRunning } = wanted
    const order = { room, queue, workers, acceptMs, roomLimit, queueLimit: maxRunning }
    const jobs = await claimJobs(store, active, order).catch((fault) => {
      // What became of it the store will say; the next look at it finds what waits.
      for (const worker of workers) roster.release(worker, hold)
      throw fault
    })
    // Attempts are attached from the first on, so those who were left out are the last.
    const without = workers.slice(jobs.length)
    for (const worker of without) roster.release(worker, hold)
    const limited = roomLimit !== null || maxRunning !== null
    if (limited && without.length > 0) waiting.added(room, queue, without.length, headScore)
    if (jobs.length === 0) return
    const now = store.now()
    starts.set(room, now)
    starts.set(wanted.key, now)
    await this.#handOut(hold, jobs)
  }

  async #handOut(hold: Hold, jobs: readonly Job[]): Promise<void> {
    const { roster, returnJobs } = this.#parts
    const gone: Job[] = []
    for (const [worker, its] of byWorker(jobs)) {
      const stationed = roster.get(worker)
      if (!stationed) {
        gone.push(...its)
        continue
      }
      for (const { submission, attempt } of its) {
        if (!attempt) continue
        const { room, id: job } = submission
        roster.beginReserved(worker, { room, job, token: attempt.token, ...hold })
      }
      gone.push(...stationed.channel.assign(its))
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
