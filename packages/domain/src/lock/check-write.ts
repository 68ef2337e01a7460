// Whether a write to a locked target may go through. A fencing number is a promise to be the current holder: once the
// holding is over the number is stale, even if nobody has acquired since, because unlocked writes may have come between.

import type { SessionId } from '../ids.ts'
import type { Refusal } from '../refusal.ts'
import { fencingRefusal, holderAt, type Lock, lockedRefusal } from './lock.ts'

export interface GuardedWrite {
  readonly session: SessionId
  /** Given by a writer that believes it holds the lock. */
  readonly fence?: number
}

export function writeRefusal(lock: Lock, write: GuardedWrite, now: number): Refusal | null {
  const holder = holderAt(lock, now)
  // The stale number is told first: a writer that lost its lock must start over, one that meets a lock may just wait.
  if (write.fence !== undefined && (holder === null || write.fence !== lock.fence)) {
    return fencingRefusal(lock, write.fence)
  }
  if (holder !== null && holder.session !== write.session) return lockedRefusal(lock, holder, now)
  return null
}
