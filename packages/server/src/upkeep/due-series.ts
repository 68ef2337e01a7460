// Weeks that are over are forgotten.

import { newId } from '../new-id.ts'
import type { DueRecord, Store } from '../ports/store.ts'

/** None of them is ever written again, so removing one twice or late harms nobody. */
export async function dueSeries(store: Store, due: readonly DueRecord[]): Promise<void> {
  const remove = due.map(({ key }) => key)
  await store.commit({ id: newId(store.now()), partition: 'system', remove })
}
