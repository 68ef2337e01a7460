// The one way a worker's record changes: read, decide, commit, and again from the start when somebody was faster.

import { type Deed, isRefusal, type Refusal, type WorkerId } from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import type { RecordMemory } from '../memory/record-memory.ts'
import { newId } from '../new-id.ts'
import type { Store } from '../ports/store.ts'
import type { Roster } from './roster.ts'
import { announceWorker, putWorker, type WorkerRecord, workerKey, workerOfRecord } from './worker-record.ts'

export interface WorkerRecords {
  readonly store: Store
  readonly roster: Roster
  readonly workers: RecordMemory<WorkerRecord>
}

export interface ChangedWorker {
  readonly record: WorkerRecord
  readonly version: number
  readonly before: WorkerRecord | null
}

/** `decide` answers the same reference when there is nothing to change; `deed` is for the trail, where a person decides. */
export async function changeWorker(
  { store, roster, workers }: WorkerRecords,
  id: WorkerId,
  decide: (known: WorkerRecord | null) => WorkerRecord | Refusal,
  deed?: Deed,
): Promise<ChangedWorker | Refusal> {
  for (;;) {
    const [found] = await store.read('system', [workerKey(id)])
    const before = found ? workerOfRecord(found) : null

    const record = decide(before)
    if (isRefusal(record)) return record
    if (found && record === before) return { record, version: found.version, before }

    const now = store.now()
    const change = {
      id: newId(now),
      partition: 'system',
      put: [putWorker(record, found?.version ?? 0)],
      announce: isNews(before, record) ? [announceWorker(record)] : [],
    }
    const outcome = await store.commit(recorded(change, deed, now))
    if (outcome.outcome === 'stale') continue

    workers.forget('system', workerKey(id))
    roster.update(id, record, outcome.revision)
    return { record, version: outcome.revision, before }
  }
}

/** A beat is no news: with a thousand workers it would be most of the log. */
function isNews(before: WorkerRecord | null, { worker, serves }: WorkerRecord): boolean {
  return (
    before?.worker.lease.presence !== worker.lease.presence ||
    before.worker.draining !== worker.draining ||
    before.serves !== serves
  )
}

/** Only as it was last seen: whoever changed it since wants it to be there. */
export async function forgetWorker(
  { store, workers }: Pick<WorkerRecords, 'store' | 'workers'>,
  id: WorkerId,
  version: number,
): Promise<void> {
  const key = workerKey(id)
  await store.commit({
    id: newId(store.now()),
    partition: 'system',
    expect: { [key]: version },
    remove: [key],
  })
  workers.forget('system', key)
}
