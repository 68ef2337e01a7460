// What a replica that is gone said of those who were there is removed.

import { newId } from '../new-id.ts'
import type { DueRecord, Store } from '../ports/store.ts'
import { announcePresence, presenceOfRecord } from '../presence/presence-record.ts'

export async function duePresence(store: Store, due: readonly DueRecord[]): Promise<void> {
  for (const { partition, key } of due) {
    const [record] = await store.read(partition, [key])
    if (!record) continue
    const { until, rooms } = presenceOfRecord(record)
    if (until > store.now()) continue
    await store.commit({
      id: newId(store.now()),
      partition,
      expect: { [key]: record.version },
      remove: [key],
      announce: [announcePresence(key.slice(key.indexOf('/') + 1), [...rooms.keys()])],
    })
  }
}
