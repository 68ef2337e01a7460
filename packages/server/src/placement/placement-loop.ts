// Decides and hands out: snapshot, plan, claims, pushes. Woken by whatever could change a plan; wake-ups while a pass runs
// become one more pass. A store that cannot be reached pauses it: the next wake-up or poll tries again. Submits that ask
// for slots before they commit are planned for beside what waits.

import {
  type Job,
  lookAhead,
  type PlacementPlan,
  type PlacementSnapshot,
  place,
  type WorkerId,
} from '@millrace/domain'
import type { ActiveJobs, KnownJob } from '../job/active-jobs.ts'
import { claimJobs } from '../job/claim-jobs.ts'
import type { ReservedSlots, WantedSlots } from '../job/reserved-slots.ts'
import type { Hold } from '../worker/roster.ts'
import { claimProbe, type ProbeParts } from './claim-probe.ts'
import type { PlacementClass } from './class-book.ts'
import { handOut } from './hand-out.ts'
import { type RequestRound, SlotRequests } from './slot-requests.ts'
import { type Surroundings, takeSnapshot } from './take-snapshot.ts'

export interface PlacementParts extends Surroundings {
  readonly active: ActiveJobs
  readonly breakers: ProbeParts['breakers']
  /** Jobs claimed for a worker that has gone meanwhile. */
  readonly returnJobs: (jobs: readonly Job[]) => Promise<void>
  readonly onFault: (fault: unknown) => void
  readonly onPass?: (durationMs: number) => void
  /** Told of every plan, with how long it took to make; whoever wants to draw it keeps it. */
  readonly onPlan?: (snapshot: PlacementSnapshot, plan: PlacementPlan, planMs: number) => void
}

/** A claim is one script or transaction; larger ones would hold up everybody else's. */
const maxClaim = 500

export class PlacementLoop {
  readonly #parts: PlacementParts
  #woken = false
  #pass: Promise<void> | null = null
  readonly #claims = new Set<Promise<void>>()
  readonly #requests: SlotRequests
  #isPlanning = false
  #stopped = false

  constructor(parts: PlacementParts) {
    this.#parts = parts
    this.#requests = new SlotRequests(parts.waiting)
  }

  /**
   * Slots for jobs that are about to be committed, if a plan of the next few milliseconds finds some. A submit never
   * waits for a plan that was begun without it: that one may be waiting for the store.
   */
  async reserve(wanted: WantedSlots): Promise<ReservedSlots | null> {
    const { roster, waiting } = this.#parts
    if (this.#stopped || this.#isPlanning || roster.size === 0) return null
    if (waiting.get(wanted.room, wanted.queue)) return null
    const slots = this.#requests.add(wanted)
    this.wake()
    return slots
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
      // A fault ends the pass with wake-ups unheard, and no submit may wait for the next.
      this.#requests.take().close()
      this.#parts.onFault(fault)
    } finally {
      this.#pass = null
    }
  }

  /** Whether more could be claimed than one claim takes: then the rest is looked at again. */
  async #place(): Promise<boolean> {
    const { waiting, roster } = this.#parts
    const round = this.#requests.take()
    if ((waiting.pending === 0 && round.isEmpty) || roster.size === 0) {
      round.close()
      return false
    }
    this.#isPlanning = true
    try {
      const more = await this.#plan(round)
      this.#requests.keep(round)
      return more
    } finally {
      this.#isPlanning = false
      round.close()
    }
  }

  async #plan(round: RequestRound): Promise<boolean> {
    const { classes, limits, snapshot } = await takeSnapshot(this.#parts, round.queues())
    let more = false
    const began = performance.now()
    const plan = place(snapshot)
    this.#parts.onPlan?.(snapshot, plan, performance.now() - began)
    const limitOf = ({ room }: PlacementClass): number | null => limits.get(room) ?? null
    const ahead = plan.waiting.length === 0 ? [] : lookAhead(snapshot, plan.assignments)
    for (const [key, workers] of ordersOf([...plan.assignments, ...ahead])) {
      const wanted = classes.get(key)
      if (!wanted) continue
      if (round.has(key)) {
        if (!needsClaim(wanted, limitOf(wanted)))
          round.deal(key, workers, (its) => this.#reserved(wanted, its))
        continue
      }
      more ||= workers.length > maxClaim
      this.#launch(wanted, limitOf(wanted), workers.slice(0, maxClaim))
    }
    round.refuse((key) => {
      const wanted = classes.get(key)
      return !wanted || needsClaim(wanted, limitOf(wanted))
    })
    return more
  }

  #reserved(wanted: PlacementClass, workers: readonly WorkerId[]): ReservedSlots {
    const { roster, active, onFault, returnJobs } = this.#parts
    const { acceptMs } = wanted
    const hold = this.#holdOf(wanted)
    for (const worker of workers) roster.reserve(worker, hold)
    const fill = (known: readonly KnownJob[]): void => {
      const jobs = known.map(({ job }) => job)
      for (const each of known) active.remember(each)
      const unused = without(workers, jobs)
      for (const worker of unused) roster.release(worker, hold)
      if (unused.length > 0) this.wake()
      if (jobs.length === 0) return
      this.#noteStart(wanted)
      const gone = handOut(roster, hold, jobs)
      // They are committed, whatever becomes of them now: nobody who submitted them is told of a fault here.
      if (gone.length > 0) returnJobs(gone).catch(onFault)
    }
    return { workers, acceptMs, fill }
  }

  /**
   * Claims without waiting for the answer: the next pass plans with what is left. Were a pass to wait, a slot that came
   * free meanwhile would idle for as long as a disk takes to sync.
   */
  #launch(wanted: PlacementClass, roomLimit: number | null, workers: readonly WorkerId[]): void {
    const { roster, waiting, onFault } = this.#parts
    const { room, queue } = wanted
    const hold = this.#holdOf(wanted)
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
    const { store, active, waiting, roster, returnJobs } = this.#parts
    const { room, queue, acceptMs, maxRunning, breaker } = wanted
    const order = { room, queue, workers, acceptMs, roomLimit, queueLimit: maxRunning }
    const isProbe = breaker.state !== 'closed'
    const claiming = isProbe ? claimProbe(this.#parts, wanted, order) : claimJobs(store, active, order)
    const claimed = await claiming.catch((fault) => {
      // What became of it the store will say; the next look at it finds what waits.
      for (const worker of workers) roster.release(worker, hold)
      throw fault
    })
    const jobs = claimed ?? []
    // Attempts are attached from the first on, so those who were left out are the last.
    const unused = workers.slice(jobs.length)
    for (const worker of unused) roster.release(worker, hold)
    const limited = roomLimit !== null || maxRunning !== null || claimed === null
    if (limited && unused.length > 0) waiting.added(room, queue, unused.length, headScore)
    if (jobs.length === 0) return
    this.#noteStart(wanted)
    const gone = handOut(roster, hold, jobs)
    if (gone.length > 0) await returnJobs(gone)
  }

  #holdOf(wanted: PlacementClass): Hold {
    return this.#parts.shorts.holdOf(wanted)
  }

  #noteStart({ room, key }: PlacementClass): void {
    const { starts, store } = this.#parts
    const now = store.now()
    starts.set(room, now)
    starts.set(key, now)
  }
}

/** Limits hold because the store checks them at a claim, and a probe is one; a submit that assigns makes none. */
function needsClaim({ maxRunning, breaker }: PlacementClass, roomLimit: number | null): boolean {
  return roomLimit !== null || maxRunning !== null || breaker.state !== 'closed'
}

/** The workers that are left when each of the jobs has taken the one it has an attempt at. */
function without(workers: readonly WorkerId[], jobs: readonly Job[]): readonly WorkerId[] {
  const left = [...workers]
  for (const { attempt } of jobs) if (attempt) left.splice(left.indexOf(attempt.worker), 1)
  return left
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
