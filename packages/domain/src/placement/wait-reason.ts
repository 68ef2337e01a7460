// Why a class has to wait. First what no flow could change (a pause, no worker, none large enough); then the place
// where the minimum cut crosses the way of the class.

import { defaultNeed, type Resources, resourceNames } from '../worker/resources.ts'
import type { MinimumCut } from './minimum-cut.ts'
import { hub, type Network } from './network.ts'
import type { WaitReason } from './plan.ts'
import { capableWorkers, dimensions, type Problem, someCapable, thousandths } from './problem.ts'
import type { ClassDemand, ExtensionLimit, WorkerSupply } from './snapshot.ts'
import type { Stock } from './stock.ts'

export interface Outcome {
  readonly problem: Problem
  readonly stock: Stock
  /** Absent after a direct placement: where everything fitted there is nothing to cut. */
  readonly flow?: { readonly network: Network; readonly cut: MinimumCut }
}

/** For a class of which fewer were placed than are pending. */
export function waitReason(outcome: Outcome, one: number, placed: number): WaitReason {
  const { problem } = outcome
  const limit = problem.extensions.get(problem.classes[one]!.extension)
  return (
    closedReason(problem.classes[one]!, limit) ??
    supplyReason(problem, one) ??
    offerReason(problem, one, placed) ??
    cutReason(outcome, one, limit) ??
    busyReason(outcome, one)
  )
}

function closedReason({ pausedBy }: ClassDemand, limit: ExtensionLimit | undefined): WaitReason | null {
  if (pausedBy !== undefined) return { reason: 'paused', by: pausedBy }
  if (limit?.breaker?.state === 'open') return { reason: 'breaker_open', until: limit.breaker.until }
  return limit?.breaker?.state === 'probing' ? { reason: 'breaker_probing' } : null
}

function supplyReason(problem: Problem, one: number): WaitReason | null {
  const { workers } = problem
  if (
    someCapable(
      problem,
      one,
      (worker) => isUsable(workers[worker]!) && isLarge(problem, one, workers[worker]!),
    )
  ) {
    return null
  }
  const { ability, addressee, needs } = problem.classes[one]!
  const capable = capableWorkers(problem, one).map((worker) => problem.workers[worker]!)
  if (capable.length === 0) {
    const able = problem.workers.filter(
      ({ id, abilities }) => abilities.includes(ability) && (addressee === undefined || id === addressee),
    )
    if (able.length > 0) return labelReason(able, needs?.labels ?? defaultNeed.labels)
    return { reason: 'no_worker', ability, ...(addressee === undefined ? {} : { addressee }) }
  }
  const need: Resources = { ...defaultNeed, ...needs }
  const large = capable.filter((worker) => isLarge(problem, one, worker))
  return large.length === 0 ? sizeReason(capable, need) : unavailableReason(large)
}

/** Measured against the worker that comes closest. */
function labelReason(able: readonly WorkerSupply[], labels: readonly string[]): WaitReason {
  const missing = able
    .map((worker) => labels.filter((label) => worker.labels?.includes(label) !== true))
    .reduce((fewest, next) => (next.length < fewest.length ? next : fewest))
  return { reason: 'label_mismatch', missing }
}

/** The resource that no worker has enough of; where each is enough somewhere but never together, the last of them. */
function sizeReason(capable: readonly WorkerSupply[], need: Resources): WaitReason {
  const largest = (name: keyof Resources): number => Math.max(...capable.map(({ total }) => total[name]))
  const short = resourceNames.filter((name) => capable.some(({ total }) => total[name] < need[name]))
  const resource = short.find((name) => largest(name) < need[name]) ?? short.at(-1)!
  return { reason: 'not_enough', resource, needed: need[resource], largest: largest(resource) }
}

function isLarge({ needs }: Problem, one: number, { total }: WorkerSupply): boolean {
  const at = one * dimensions
  return (
    total.slots >= needs[at]! &&
    thousandths(total.cpu) >= needs[at + 1]! &&
    total.memoryMb >= needs[at + 2]! &&
    thousandths(total.gpu) >= needs[at + 3]!
  )
}

function isUsable({ health, draining }: WorkerSupply): boolean {
  return health.ok && draining !== true
}

function unavailableReason(workers: readonly WorkerSupply[]): WaitReason {
  const draining = workers.filter((worker) => worker.draining === true)
  const unhealthy = workers.filter((worker) => worker.draining !== true)
  const because = new Set(unhealthy.flatMap(({ health }) => (health.ok ? [] : [health.reason])))
  return {
    reason: 'workers_unavailable',
    draining: draining.length,
    unhealthy: unhealthy.length,
    because: [...because].sort(),
  }
}

function offerReason(problem: Problem, one: number, placed: number): WaitReason | null {
  if (placed < problem.offered[one]!) return null
  const { extension } = problem.classes[one]!
  if (problem.extensions.get(extension)?.breaker?.state === 'half_open') return { reason: 'breaker_probing' }
  return { reason: 'start_limit', limit: problem.snapshot.maxStartsPerClass ?? 0 }
}

function cutReason({ flow, problem }: Outcome, one: number, limit?: ExtensionLimit): WaitReason | null {
  if (flow === undefined) return null
  const { network, cut } = flow
  const room = problem.roomOf[one]!
  if (cut.hasWay(network.classNode + one)) {
    const { limit: quota, running } = problem.rooms[room]!
    const full = quota !== null && cut.isFull(network.roomEdges[room]!)
    return full ? { reason: 'room_limit', limit: quota, running } : null
  }
  const { gate, pools } = network.outlets[network.outletOf[one]!]!
  if (gate !== null && limit !== undefined && cut.isCut(gate.edge)) {
    if (limit.breaker?.state === 'half_open') return { reason: 'breaker_probing' }
    return { reason: 'extension_limit', limit: limit.maxRunning ?? 1, running: limit.running }
  }
  const { maxRunning, running } = problem.snapshot
  const stopped = !cut.hasWay(hub) && pools.some((pool) => !cut.isFull(network.poolEdges[pool]!))
  if (!stopped || maxRunning === null || maxRunning === undefined) return null
  return { reason: 'global_limit', limit: maxRunning, running: running ?? 0 }
}

/** Slots, unless a worker has a free slot and keeps it for others, or lacks something else. */
function busyReason({ problem, stock }: Outcome, one: number): WaitReason {
  let kept = 0
  for (const pool of problem.capablePools[one]!) {
    if (!stock.hasSlots(pool)) continue
    for (const worker of problem.pools[pool]!.members) {
      const scarce = isUsable(problem.workers[worker]!) ? stock.scarce(one, worker) : null
      if (scarce !== null && scarce !== 'slots') return { reason: 'all_slots_busy', scarce }
      if (scarce === 'slots') kept += stock.keptFrom(one, worker)
    }
  }
  return kept > 0 ? { reason: 'kept_for_short', slots: kept } : { reason: 'all_slots_busy', scarce: 'slots' }
}
