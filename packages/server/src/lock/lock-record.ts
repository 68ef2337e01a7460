// A lock as the store keeps it: one record for each target, in the partition of its room. The record outlives a release,
// because the fencing number must.

import { type Lock, type LockHolder, lockDueAt } from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'

export const lockPrefix = 'lock/'
export const lockList = 'locks'

/** How many targets the room has: counted in the same step that makes one. */
export const lockTargets = 'lock-targets'

const lockChanged = 'lock:changed'

export function lockKey(target: string): RecordKey {
  return `${lockPrefix}${target}`
}

export function putLock(lock: Lock, expect: number): Put {
  const dueAt = lockDueAt(lock)
  return {
    key: lockKey(lock.target),
    expect,
    head: JSON.stringify(lock),
    lists: [lockList],
    ...(dueAt !== null && { dueAt }),
  }
}

export function announceLock(lock: Lock): Announcement {
  return { subject: lockKey(lock.target), event: JSON.stringify({ type: lockChanged, ...lockFacts(lock) }) }
}

export function lockOfRecord({ head }: StoredRecord): Lock {
  return JSON.parse(head) as Lock
}

export interface LockFacts {
  readonly target: string
  readonly fence: number
  readonly holder: Pick<LockHolder, 'user' | 'acquiredAt' | 'expiresAt' | 'message'> | null
}

/** What everybody in the room may know: the session is its holder's own. */
export function lockFacts({ target, fence, holder }: Lock): LockFacts {
  if (holder === null) return { target, fence, holder }
  const { user, acquiredAt, expiresAt, message } = holder
  return { target, fence, holder: { user, acquiredAt, expiresAt, message } }
}
