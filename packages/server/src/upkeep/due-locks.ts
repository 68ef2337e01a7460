// Locks whose holding has run out: said to the room, so that nobody has to count down to know.

import { expireLock } from '@millrace/domain'
import { changeLock } from '../lock/change-lock.ts'
import { lockPrefix } from '../lock/lock-record.ts'
import type { DueRecord, Store } from '../ports/store.ts'

export async function dueLocks(store: Store, due: readonly DueRecord[]): Promise<void> {
  for (const { partition, key } of due) {
    await changeLock(store, partition, key.slice(lockPrefix.length), expireLock)
  }
}
