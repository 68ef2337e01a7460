// The one way a lock's record changes: read, decide, commit, and again from the start when somebody was faster.

import { createLock, isRefusal, type Lock, type Refusal } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { RecordKey, Store } from '../ports/store.ts'
import { announceLock, lockKey, lockOfRecord, lockTargets, putLock } from './lock-record.ts'

export interface Guard {
  /** Versions on which the right to change the lock rests; checked in the same step. */
  readonly expect: Readonly<Record<RecordKey, number>>
}

/** `decide` answers the same reference when there is nothing to change. */
export async function changeLock(
  store: Store,
  room: string,
  target: string,
  decide: (lock: Lock, now: number) => Lock | Refusal,
  guard: () => Promise<Guard | Refusal> = async () => ({ expect: {} }),
): Promise<Lock | Refusal> {
  for (;;) {
    const guarded = await guard()
    if (isRefusal(guarded)) return guarded
    const [record] = await store.read(room, [lockKey(target)])
    const before = record ? lockOfRecord(record) : await newLock(store, room, target)
    if (isRefusal(before)) return before

    const now = store.now()
    const next = decide(before, now)
    if (isRefusal(next) || next === before) return next

    const { outcome } = await store.commit({
      id: newId(now),
      partition: room,
      expect: guarded.expect,
      put: [putLock(next, record?.version ?? 0)],
      ...(!record && { add: { [lockTargets]: 1 } }),
      announce: [announceLock(next)],
    })
    if (outcome === 'committed') return next
  }
}

async function newLock(store: Store, room: string, target: string): Promise<Lock | Refusal> {
  const counters = await store.counters(room)
  return createLock(target, counters[lockTargets] ?? 0)
}
