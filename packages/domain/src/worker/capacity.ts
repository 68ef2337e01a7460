// One count of what is free on a worker, shared by all its extensions. A count per extension would promise the same
// slot several times. What is free is derived, never stored, so the two cannot disagree.

import { type Refusal, refuse } from '../refusal.ts'
import { minus, noResources, plus, type ResourceNeed, type Resources, resourceNames } from './resources.ts'

export interface Capacity {
  readonly total: Resources
  readonly taken: Resources
  readonly labels: readonly string[]
}

export interface Shortfall {
  readonly resource: keyof Resources | 'labels'
  readonly needed: number | readonly string[]
  readonly free: number | readonly string[]
}

export function newCapacity(offer: ResourceNeed): Capacity {
  const { labels, ...total } = offer
  return { total, taken: noResources, labels }
}

/** Never below zero, even when a worker came back smaller than what it still runs. */
export function freeOf(capacity: Capacity): Resources {
  const { slots, cpu, memoryMb, gpu } = minus(capacity.total, capacity.taken)
  return {
    slots: Math.max(0, slots),
    cpu: Math.max(0, cpu),
    memoryMb: Math.max(0, memoryMb),
    gpu: Math.max(0, gpu),
  }
}

/** The first thing the worker lacks for one more such job; null when the job fits. */
export function shortfall(capacity: Capacity, need: ResourceNeed): Shortfall | null {
  const missing = need.labels.filter((label) => !capacity.labels.includes(label))
  if (missing.length > 0) return { resource: 'labels', needed: missing, free: capacity.labels }
  const free = freeOf(capacity)
  const resource = resourceNames.find((name) => free[name] < need[name])
  return resource === undefined ? null : { resource, needed: need[resource], free: free[resource] }
}

export function take(capacity: Capacity, need: ResourceNeed): Capacity | Refusal {
  const short = shortfall(capacity, need)
  if (short === null) return { ...capacity, taken: plus(capacity.taken, need) }
  const message = `The job needs ${short.resource} ${String(short.needed)}; free: ${String(short.free) || 'none'}.`
  return refuse('worker_full', message, { ...short })
}

export function giveBack(capacity: Capacity, need: ResourceNeed): Capacity | Refusal {
  const taken = minus(capacity.taken, need)
  const excess = resourceNames.find((name) => taken[name] < 0)
  return excess === undefined ? { ...capacity, taken } : refuse('resources_not_taken')
}

/** The worker says anew what it has; what its running jobs took stays taken. */
export function resize(capacity: Capacity, offer: ResourceNeed): Capacity {
  return { ...newCapacity(offer), taken: capacity.taken }
}
