// How long a worker is trusted without being heard. Only a round trip on the channel over which jobs are pushed renews a
// lease, so a worker that is alive but deaf loses it. All instants are the store's.

import { type Refusal, refuse } from '../refusal.ts'

/**
 *   connected ──disconnect──→ away ──────────┐
 *       ↑  └──────────── lease expired ──────┴──→ lost
 *       └───────── heard ──────┘                  (registers again: a new lease)
 */
export type Presence = 'connected' | 'away' | 'lost'

export interface Lease {
  readonly presence: Presence
  readonly leaseUntil: number
}

/** Often enough that a dead worker is noticed in seconds; 1,000 workers make 200 small round trips a second. */
export const beatIntervalMs: number = 5_000

/** How long a worker that lost its connection is waited for: a reconnect with backoff fits, a restart of a laptop not. */
export const graceMs: number = 10_000

/** One beat and one grace period: whenever a connection breaks, at least the full grace is still left. */
export const leaseMs: number = beatIntervalMs + graceMs

export function grantLease(now: number): Lease {
  return { presence: 'connected', leaseUntil: now + leaseMs }
}

/** Until somebody has declared the worker lost its attempts are its own, so hearing from it late is still in time. */
export function renewLease(lease: Lease, now: number): Lease | Refusal {
  if (lease.presence === 'lost') return refuse('worker_lost')
  return { presence: 'connected', leaseUntil: Math.max(lease.leaseUntil, now + leaseMs) }
}

/** A disconnect shortens and never lengthens: a connection that flaps cannot keep a dead worker alive. */
export function disconnectLease(lease: Lease, now: number): Lease {
  if (lease.presence !== 'connected') return lease
  return { presence: 'away', leaseUntil: Math.min(lease.leaseUntil, now + graceMs) }
}

/**
 * When the lease may be declared expired. `steadySince` is the instant since which this server and its store have been
 * up without a gap: while they were not, no worker could renew, and its silence proves nothing.
 */
export function leaseExpiresAt(lease: Lease, steadySince: number): number {
  return Math.max(lease.leaseUntil, steadySince + graceMs)
}

/** Nobody waits for a worker any more that was sent away or has taken its leave. */
export function endLease(lease: Lease, now: number): Lease {
  if (lease.presence === 'lost') return lease
  return { presence: 'lost', leaseUntil: Math.min(lease.leaseUntil, now) }
}

export function expireLease(lease: Lease, steadySince: number, now: number): Lease | Refusal {
  if (lease.presence === 'lost') return lease
  const expiresAt = leaseExpiresAt(lease, steadySince)
  if (now < expiresAt) return refuse('lease_not_due', undefined, { expiresAt })
  return { presence: 'lost', leaseUntil: lease.leaseUntil }
}
