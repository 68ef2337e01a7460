// A worker as the server knows it. Its id is its own and outlives connections; it is bound to the credential that first
// used it, and its kind is stated, never guessed from a name.

import type { UserName, WorkerId } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller } from '../room/caller.ts'
import { type Capacity, newCapacity, resize } from './capacity.ts'
import { endLease, grantLease, type Lease, renewLease } from './lease.ts'
import { parseNeed, type ResourceNeed } from './resources.ts'

export type WorkerKind = 'pool' | 'client' | 'manager'

/** What a beat says about the machine under the worker. */
export interface Vitals {
  /** Share of the memory in use, 0 to 1. */
  readonly memoryUsed: number
  /** Processes that run or want to, averaged over a minute. */
  readonly load: number
  readonly cores: number
}

export interface Worker {
  readonly id: WorkerId
  readonly kind: WorkerKind
  readonly user: UserName
  readonly capacity: Capacity
  readonly lease: Lease
  readonly draining: boolean
  readonly heardAt: number
  /** Null until the first beat. */
  readonly vitals: Vitals | null
  readonly registeredAt: number
}

export interface Enrolment {
  readonly id: string
  readonly kind: WorkerKind
  readonly offers: Partial<ResourceNeed>
}

const workerId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** A first registration, a return, or a restart under the same id; a worker that was lost begins anew. */
export function enrolWorker(
  existing: Worker | null,
  enrolment: Enrolment,
  who: Caller,
  now: number,
): Worker | Refusal {
  const { id, kind } = enrolment
  if (!workerId.test(id)) {
    return refuse('worker_id_invalid', "A worker's id has 1 to 128 letters, digits, '.', '_' and '-'.")
  }
  if (existing !== null && existing.user !== who.user) {
    return refuse('worker_not_yours', `The worker id ${id} belongs to another user; give yours another id.`)
  }
  const forbidden = kindRefusal(kind, who)
  if (forbidden !== null) return forbidden
  const offer = parseNeed(enrolment.offers)
  if (isRefusal(offer)) return offer
  const kept = existing?.lease.presence === 'lost' ? null : existing
  if (kept !== null && kept.kind !== kind) return refuse('worker_kind_fixed')
  return {
    id: id as WorkerId,
    kind,
    user: who.user,
    capacity: kept === null ? newCapacity(offer) : resize(kept.capacity, offer),
    lease: grantLease(now),
    draining: kept?.draining ?? false,
    heardAt: now,
    vitals: null,
    registeredAt: kept?.registeredAt ?? now,
  }
}

function kindRefusal(kind: WorkerKind, { role, onlyRoom }: Caller): Refusal | null {
  if (role === 'pool')
    return kind === 'pool'
      ? null
      : refuse('worker_kind_forbidden', "A pool's token runs workers of kind pool and no others.")
  if (kind !== 'pool' || (role === 'admin' && onlyRoom === undefined)) return null
  return refuse(
    'worker_kind_forbidden',
    "A pool runs the built-in extensions of every room; that takes a pool's token or role admin.",
  )
}

/** A beat came back over the assignment channel, or a pull worker wrote something, which says nothing of its vitals. */
export function hearWorker(worker: Worker, vitals: Vitals | null, now: number): Worker | Refusal {
  const lease = renewLease(worker.lease, now)
  return isRefusal(lease) ? lease : { ...worker, lease, heardAt: now, vitals: vitals ?? worker.vitals }
}

/** It finishes what it runs and gets nothing new. Holds until the worker is lost: a reconnect does not undo it. */
export function drainWorker(worker: Worker, who: Caller): Worker | Refusal {
  if (!isTheirs(worker, who)) return refuse('worker_not_yours')
  return worker.draining ? worker : { ...worker, draining: true }
}

export function undrainWorker(worker: Worker, who: Caller): Worker | Refusal {
  if (!isTheirs(worker, who)) return refuse('worker_not_yours')
  return worker.draining ? { ...worker, draining: false } : worker
}

/** Its lease ends now, and what it runs is lost to it. It may register again, like every worker that was lost. */
export function sendWorkerAway(worker: Worker, who: Caller, now: number): Worker | Refusal {
  if (!isTheirs(worker, who)) return refuse('worker_not_yours')
  const lease = endLease(worker.lease, now)
  return lease === worker.lease ? worker : { ...worker, lease }
}

function isTheirs(worker: Worker, who: Caller): boolean {
  return worker.user === who.user || who.role === 'admin'
}
