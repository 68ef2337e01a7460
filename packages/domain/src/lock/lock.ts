// A lock on one target of a room, and who holds it. The fencing number outlives every release: it counts holdings, so
// a writer from an earlier holding is known by its smaller number. An expired holder is nobody, swept or not.

import type { SessionId, UserName } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface LockHolder {
  readonly session: SessionId
  readonly user: UserName
  /** How many times the session has acquired and not yet released. */
  readonly count: number
  readonly acquiredAt: number
  readonly expiresAt: number
  /** Shown to everybody in the room. */
  readonly message: string | null
}

export interface Lock {
  readonly target: string
  /** The number of the current holding or, when nobody holds the lock, of the last one. */
  readonly fence: number
  readonly holder: LockHolder | null
}

/** What a session says to prove that it speaks about its own, current holding. */
export interface LockClaim {
  readonly session: SessionId
  readonly fence: number
}

/** A lock's record stays for its number, so clients must not be able to make records without end. */
export const maxLockTargets: number = 100

const targetName = /^[a-z0-9][a-z0-9._-]{0,63}$/

export function createLock(target: string, targetsInRoom: number): Lock | Refusal {
  if (!targetName.test(target)) {
    return refuse(
      'lock_target_invalid',
      "A lock's target has 1 to 64 lower-case letters, digits, '-', '_' and '.', and begins with a letter or a digit.",
    )
  }
  if (targetsInRoom >= maxLockTargets) {
    return refuse('lock_targets_full', `A room has at most ${maxLockTargets} lock targets.`, {
      limit: maxLockTargets,
    })
  }
  return { target, fence: 0, holder: null }
}

export function holderAt(lock: Lock, now: number): LockHolder | null {
  return lock.holder !== null && now < lock.holder.expiresAt ? lock.holder : null
}

/** The holding a claim speaks of, or why the claim does not stand. */
export function claimedHolding(lock: Lock, claim: LockClaim, now: number): LockHolder | Refusal {
  const holder = holderAt(lock, now)
  if (holder === null) return refuse('lock_not_held')
  if (holder.session !== claim.session) return lockedRefusal(lock, holder, now)
  return claim.fence === lock.fence ? holder : fencingRefusal(lock, claim.fence)
}

export function lockedRefusal(lock: Lock, holder: LockHolder, now: number): Refusal {
  const leftMs = holder.expiresAt - now
  const seconds = Math.ceil(leftMs / 1_000)
  const message = `${holder.user} holds the lock on ${lock.target} for at most ${seconds} s more.`
  return refuse('locked', message, {
    target: lock.target,
    holder: holder.user,
    message: holder.message,
    leftMs,
  })
}

export function fencingRefusal(lock: Lock, fence: number): Refusal {
  const message = `The fencing number ${fence} is not that of the current holding of ${lock.target}.`
  return refuse('fencing_stale', message, { target: lock.target, fence, lastFence: lock.fence })
}
