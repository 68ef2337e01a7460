// Ended jobs that were kept long enough go, with everything that belongs to them; those of a room together, because one
// commit for each would wait for the disk as often as jobs end, and never catch up with a busy server.

import { isRefusal, type Job, transition } from '@millrace/domain'
import { logKeys } from '../job/job-log.ts'
import { idempotencyKey } from '../job/submit-jobs.ts'
import { newId } from '../new-id.ts'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'

export interface KeptJob {
  readonly record: StoredRecord
  readonly job: Job
}

/** Of jobs in one commit; each has some twenty keys. */
const atOnce = 50

type Keeper = Pick<Store, 'now' | 'commit'>

export async function removeExpired(store: Keeper, room: string, kept: readonly KeptJob[]): Promise<void> {
  const expired = kept.filter(({ job }) => isOver(job, store.now()))
  for (let from = 0; from < expired.length; from += atOnce) {
    const some = expired.slice(from, from + atOnce)
    if (await remove(store, room, some)) continue
    // Somebody redrove one of them in this moment, which has made it live longer; the others go without it.
    for (const one of some) await remove(store, room, [one])
  }
}

function isOver(job: Job, now: number): boolean {
  const expired = transition(job, { type: 'expire' }, now, 0)
  return !isRefusal(expired) && expired.effects.some(({ kind }) => kind === 'remove')
}

/** All or none, and only as they were read. */
async function remove(store: Keeper, room: string, kept: readonly KeptJob[]): Promise<boolean> {
  const { outcome } = await store.commit({
    id: newId(store.now()),
    partition: room,
    expect: Object.fromEntries(kept.map(({ record }) => [record.key, record.version])),
    remove: kept.flatMap(({ record, job }) => [record.key, ...belongingsOf(job)]),
  })
  return outcome === 'committed'
}

function belongingsOf({ submission, result }: Job): readonly RecordKey[] {
  const keyed = idempotencyKey(submission)
  const beside = result === undefined ? [`result/${submission.id}`] : []
  return [...beside, ...logKeys(submission.id), ...(keyed === null ? [] : [keyed])]
}
