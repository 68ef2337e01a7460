// An ended job that was kept long enough goes, with everything that belongs to it.

import { isRefusal, type Job, transition } from '@millrace/domain'
import { logKeys } from '../job/job-log.ts'
import { idempotencyKey } from '../job/submit-jobs.ts'
import { newId } from '../new-id.ts'
import type { Store, StoredRecord } from '../ports/store.ts'

export async function removeExpired(store: Store, record: StoredRecord, job: Job): Promise<void> {
  const { id } = job.submission
  const expired = transition(job, { type: 'expire' }, store.now(), 0)
  if (isRefusal(expired) || !expired.effects.some(({ kind }) => kind === 'remove')) return
  const keyed = idempotencyKey(job.submission)
  await store.commit({
    id: newId(store.now()),
    partition: record.partition,
    // Somebody who redrove it in this moment has made it live longer.
    expect: { [record.key]: record.version },
    remove: [record.key, `result/${id}`, ...logKeys(id), ...(keyed === null ? [] : [keyed])],
  })
}
