// Errors that nobody has met for long are forgotten.

import { errorOfRecord, keptUntil } from '../error/error-record.ts'
import { newId } from '../new-id.ts'
import type { DueRecord, Store } from '../ports/store.ts'

export async function dueErrors(store: Store, due: readonly DueRecord[]): Promise<void> {
  for (const { partition, key } of due) {
    const [record] = await store.read(partition, [key])
    // Met again since it was listed, it stays.
    if (!record || keptUntil(errorOfRecord(record)) > store.now()) continue
    await store.commit({
      id: newId(store.now()),
      partition,
      expect: { [key]: record.version },
      remove: [key],
    })
  }
}
