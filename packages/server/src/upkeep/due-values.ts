// What users submitted last and nobody has used for long is forgotten.

import { newId } from '../new-id.ts'
import type { DueRecord, Store } from '../ports/store.ts'
import { expiryOfValues } from '../values/values-record.ts'

/** One by one: each may be a megabyte. */
export async function dueValues(store: Store, due: readonly DueRecord[]): Promise<void> {
  for (const { partition, key } of due) {
    const [record] = await store.read(partition, [key])
    if (!record) continue
    const expiresAt = expiryOfValues(record)
    if (expiresAt === null || expiresAt > store.now()) continue
    // Values that are submitted in this moment have another version, and stay.
    await store.commit({
      id: newId(store.now()),
      partition,
      expect: { [key]: record.version },
      remove: [key],
    })
  }
}
