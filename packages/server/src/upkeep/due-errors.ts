// Errors that nobody has met for long are forgotten.

import { newId } from '../new-id.ts'
import type { DueRecord, Store } from '../ports/store.ts'

export async function dueErrors(store: Store, due: readonly DueRecord[]): Promise<void> {
  for (const { partition, key, dueAt } of due) {
    const [record] = await store.read(partition, [key])
    if (!record || dueAt > store.now()) continue
    // One that was met again in this moment has been written anew and stays.
    await store.commit({
      id: newId(store.now()),
      partition,
      expect: { [key]: record.version },
      remove: [key],
    })
  }
}
