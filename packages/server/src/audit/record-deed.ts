// Entries of deeds that are no commit of their own: a sign-in, and what is done to many jobs in many commits.

import { type Deed, endedEntry } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Partition, Store } from '../ports/store.ts'
import { announceEntry, auditCounter, entryOf, putEntry, recorded } from './audit-record.ts'

export async function recordDeed(store: Store, partition: Partition, deed: Deed): Promise<void> {
  const now = store.now()
  await store.commit(recorded({ id: newId(now), partition }, deed, now))
}

export type EndDeed = (details: Deed['details']) => Promise<void>

/** On record before it begins: whoever dies over it leaves an entry that has not ended. */
export async function beginDeed(store: Store, partition: Partition, deed: Deed): Promise<EndDeed> {
  const now = store.now()
  const begun = entryOf(partition, { ...deed, outcome: 'begun' }, now)
  const written = await store.commit({
    id: newId(now),
    partition,
    put: [putEntry(partition, begun, 0)],
    add: { [auditCounter]: 1 },
    announce: [announceEntry(begun)],
  })
  const version = written.outcome === 'committed' ? written.revision : 0

  return async (details) => {
    const ended = endedEntry(begun, details)
    // Stale: it was trimmed meanwhile, and nothing is left to be told.
    await store.commit({
      id: newId(store.now()),
      partition,
      put: [putEntry(partition, ended, version)],
      announce: [announceEntry(ended)],
    })
  }
}
