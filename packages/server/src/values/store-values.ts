// Keeps and gives back what a user submitted last. Who may is settled at the door of the room; that the values fit the
// schema, by the validator.

import type { ExtensionId } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Store } from '../ports/store.ts'
import { announceValues, putValues, type Values, valuesKey, valuesOfRecord } from './values-record.ts'

export async function storeValues(
  store: Store,
  room: string,
  user: string,
  id: ExtensionId,
  values: unknown,
): Promise<Values> {
  const kept = { values, at: store.now() }
  await store.commit({
    id: newId(store.now()),
    partition: room,
    put: [putValues(user, id, kept)],
    announce: [announceValues(user, id)],
  })
  return kept
}

/** Null: nothing was submitted yet. */
export async function lastValues(
  store: Store,
  room: string,
  user: string,
  id: ExtensionId,
): Promise<Values | null> {
  const [record] = await store.read(room, [valuesKey(user, id)])
  return record ? valuesOfRecord(record) : null
}
