// Getting a lock and keeping it: acquire, refresh, message. A refresh or a second acquire never shortens a holding.

import type { SessionId, UserName } from '../ids.ts'
import { type Limit, limitRefusal, whole } from '../limit.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import { claimedHolding, holderAt, type Lock, type LockClaim, lockedRefusal } from './lock.ts'

export interface LockRequest {
  readonly session: SessionId
  readonly user: UserName
  readonly ttlMs: number
  readonly message?: string
}

/** Longer than 300 s and a dead holder blocks a room for too long; under 1 s a refresh cannot arrive in time. */
export const lockTtlLimit: Limit = whole(1_000, 300_000)

export const lockMessageMaxLength: number = 200

export function acquireLock(lock: Lock, request: LockRequest, now: number): Lock | Refusal {
  const { session, user, ttlMs, message = null } = request
  const refusal = ttlRefusal(ttlMs) ?? messageRefusal(message)
  if (refusal !== null) return refusal
  const holder = holderAt(lock, now)
  if (holder === null) {
    const expiresAt = now + ttlMs
    return {
      ...lock,
      fence: lock.fence + 1,
      holder: { session, user, count: 1, acquiredAt: now, expiresAt, message },
    }
  }
  if (holder.session !== session) return lockedRefusal(lock, holder, now)
  const expiresAt = Math.max(holder.expiresAt, now + ttlMs)
  return {
    ...lock,
    holder: { ...holder, count: holder.count + 1, expiresAt, message: message ?? holder.message },
  }
}

export function refreshLock(lock: Lock, claim: LockClaim, ttlMs: number, now: number): Lock | Refusal {
  const refusal = ttlRefusal(ttlMs)
  if (refusal !== null) return refusal
  const holder = claimedHolding(lock, claim, now)
  if (isRefusal(holder)) return holder
  return { ...lock, holder: { ...holder, expiresAt: Math.max(holder.expiresAt, now + ttlMs) } }
}

export function setLockMessage(
  lock: Lock,
  claim: LockClaim,
  message: string | null,
  now: number,
): Lock | Refusal {
  const refusal = messageRefusal(message)
  if (refusal !== null) return refusal
  const holder = claimedHolding(lock, claim, now)
  return isRefusal(holder) ? holder : { ...lock, holder: { ...holder, message } }
}

function ttlRefusal(ttlMs: number): Refusal | null {
  return limitRefusal('lock_ttl_out_of_range', 'ttlMs', ttlMs, lockTtlLimit)
}

function messageRefusal(message: string | null): Refusal | null {
  if (message === null || message.length <= lockMessageMaxLength) return null
  return refuse('lock_message_too_long', `A lock's message has at most ${lockMessageMaxLength} characters.`, {
    limit: lockMessageMaxLength,
  })
}
