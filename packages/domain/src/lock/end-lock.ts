// Every way a holding ends: release, expiry, and the loss of the session, which ends it after a grace period unless the
// session returns and refreshes. The fencing number stays in all of them.

import type { SessionId } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { claimedHolding, holderAt, type Lock, type LockClaim } from './lock.ts'

/** A page reload or a change of network takes a few seconds; an upload should not lose its lock to one. */
export const lockGraceMs: number = 10_000

export function releaseLock(lock: Lock, claim: LockClaim, now: number): Lock | Refusal {
  const holder = claimedHolding(lock, claim, now)
  if (isRefusal(holder)) return holder
  return { ...lock, holder: holder.count > 1 ? { ...holder, count: holder.count - 1 } : null }
}

/** Answers the same lock when the session does not hold it: a lost session is a fact, not a request. */
export function sessionLost(
  lock: Lock,
  session: SessionId,
  now: number,
  graceMs: number = lockGraceMs,
): Lock {
  const holder = holderAt(lock, now)
  if (holder?.session !== session) return lock
  return { ...lock, holder: { ...holder, expiresAt: Math.min(holder.expiresAt, now + graceMs) } }
}

/** When a sweep has to look at the lock next; null while nobody is recorded as its holder. */
export function lockDueAt(lock: Lock): number | null {
  return lock.holder?.expiresAt ?? null
}

/** Answers the same lock when nothing has expired, so a sweep that comes early or twice does no harm. */
export function expireLock(lock: Lock, now: number): Lock {
  return lock.holder === null || holderAt(lock, now) !== null ? lock : { ...lock, holder: null }
}
