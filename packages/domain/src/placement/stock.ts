// What is free on each worker while a plan takes from it. The only place that puts a job on a worker, so a plan cannot
// hand out a slot, a core, memory or a GPU twice.

import { type Resources, resourceNames } from '../worker/resources.ts'
import { dimensions, type Problem, thousandths } from './problem.ts'

/** So many jobs of one class on one worker, by their numbers in the problem. */
export interface Taken {
  readonly one: number
  readonly worker: number
  readonly count: number
}

export class Stock {
  private readonly problem: Problem
  private readonly free: Float64Array
  /** Slots that a class which is not short may take. */
  private readonly common: Float64Array
  /** By class, in the order of taking; a worker may occur several times. */
  private readonly taken: Taken[][]
  private readonly placedBy: Int32Array
  /** Free slots of all workers of a pool together: whole pools are passed over without asking their workers. */
  private readonly poolSlots: Float64Array

  constructor(problem: Problem) {
    const { workers } = problem
    this.problem = problem
    this.free = new Float64Array(workers.length * dimensions)
    this.common = new Float64Array(workers.length)
    this.taken = problem.classes.map(() => [])
    this.placedBy = new Int32Array(problem.classes.length)
    this.poolSlots = new Float64Array(problem.pools.length)
    this.refill()
  }

  /** Takes everything back. A worker that is unwell or draining has nothing to give. */
  refill(): void {
    for (let one = 0; one < this.taken.length; one++) this.taken[one] = []
    this.placedBy.fill(0)
    this.poolSlots.fill(0)
    let at = 0
    const { workers, poolOf } = this.problem
    for (let index = 0; index < workers.length; index++) {
      const worker = workers[index]!
      const usable = worker.health.ok && worker.draining !== true
      const { slots, cpu, memoryMb, gpu } = worker.free
      this.free[at++] = usable ? slots : 0
      this.poolSlots[poolOf[index]!]! += usable ? slots : 0
      this.free[at++] = thousandths(cpu)
      this.free[at++] = memoryMb
      this.free[at++] = thousandths(gpu)
      this.common[index] = usable ? Math.max(0, slots - (worker.keptForShort ?? 0)) : 0
    }
  }

  slots(worker: number): number {
    return this.free[worker * dimensions]!
  }

  /** How many jobs of the class have a place. */
  placed(one: number): number {
    return this.placedBy[one]!
  }

  commonSlots(worker: number): number {
    return this.common[worker]!
  }

  /** How many more jobs of the class the worker could hold, if it held nothing else besides. */
  fits(one: number, worker: number): number {
    const { needs, isShort } = this.problem
    const need = one * dimensions
    const at = worker * dimensions
    const slots = isShort[one] === 1 ? this.free[at]! : this.common[worker]!
    let count = Math.floor(slots / needs[need]!)
    for (let d = 1; d < dimensions && count > 0; d++) {
      const needed = needs[need + d]!
      if (needed > 0) count = Math.min(count, Math.floor(this.free[at + d]! / needed))
    }
    return count
  }

  /** Whether any worker with the ability and the labels could hold one more job of the class. */
  hasPlaceFor(one: number): boolean {
    const { capablePools, pools } = this.problem
    for (const pool of capablePools[one]!) {
      if (this.poolSlots[pool] === 0) continue
      for (const worker of pools[pool]!.members) if (this.fits(one, worker) > 0) return true
    }
    return false
  }

  /** Whether any worker of the pool has a free slot. */
  hasSlots(pool: number): boolean {
    return this.poolSlots[pool]! > 0
  }

  /** Puts up to `count` jobs on the workers named, fullest first, and says how many found a place. */
  place(one: number, workers: readonly number[], count: number): number {
    let left = count
    while (left > 0) {
      const worker = workers.length === 1 ? workers[0]! : this.bestFit(one, workers)
      const amount = worker < 0 ? 0 : Math.min(left, this.fits(one, worker))
      if (amount <= 0) break
      this.take(one, worker, amount)
      left -= amount
    }
    return count - left
  }

  /** Every (class, worker) with its count, by class and then by worker. */
  entries(): Taken[] {
    return this.taken.flatMap((taken) => (taken.length > 1 ? merged(taken) : taken))
  }

  /** What the worker has too little of for one more job; slots before all else, null when a job fits. */
  scarce(one: number, worker: number): keyof Resources | null {
    const { needs, isShort } = this.problem
    const slots = isShort[one] === 1 ? this.free[worker * dimensions]! : this.common[worker]!
    if (slots < needs[one * dimensions]!) return 'slots'
    for (let d = 1; d < dimensions; d++) {
      if (this.free[worker * dimensions + d]! < needs[one * dimensions + d]!) return resourceNames[d]!
    }
    return null
  }

  /** Free slots that would hold the class and are kept from it. */
  keptFrom(one: number, worker: number): number {
    const slots = this.free[worker * dimensions]!
    const isKept = this.problem.isShort[one] === 0 && slots >= this.problem.needs[one * dimensions]!
    return isKept ? slots - this.common[worker]! : 0
  }

  private take(one: number, worker: number, amount: number): void {
    const at = worker * dimensions
    for (let d = 0; d < dimensions; d++)
      this.free[at + d]! -= amount * this.problem.needs[one * dimensions + d]!
    const common =
      this.common[worker]! -
      (this.problem.isShort[one] === 1 ? 0 : amount * this.problem.needs[one * dimensions]!)
    this.common[worker] = Math.min(common, this.free[at]!)
    this.taken[one]!.push({ one, worker, count: amount })
    this.placedBy[one]! += amount
    this.poolSlots[this.problem.poolOf[worker]!]! -= amount * this.problem.needs[one * dimensions]!
  }

  /** The worker with the least to spare that still holds the job: large holes stay for large jobs, GPUs for GPU jobs. */
  private bestFit(one: number, workers: readonly number[]): number {
    let best = -1
    for (const worker of workers) {
      if (this.fits(one, worker) > 0 && (best < 0 || this.isTighter(worker, best))) best = worker
    }
    return best
  }

  private isTighter(worker: number, other: number): boolean {
    for (const d of [3, 0, 2, 1]) {
      const difference = this.free[worker * dimensions + d]! - this.free[other * dimensions + d]!
      if (difference !== 0) return difference < 0
    }
    return worker < other
  }
}

function merged(taken: readonly Taken[]): Taken[] {
  const list: Taken[] = []
  for (const entry of taken.toSorted((a, b) => a.worker - b.worker)) {
    const last = list.at(-1)
    if (last?.worker !== entry.worker) list.push(entry)
    else list[list.length - 1] = { ...entry, count: last.count + entry.count }
  }
  return list
}
