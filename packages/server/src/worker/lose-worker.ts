// The end of a lease, and the ways towards it. Declaring a worker lost is one commit, which fences it; taking its jobs
// and extensions from it follows, and is done again by whoever finds it half done.

import {
  disconnectLease,
  endLease,
  expireLease,
  hearWorker,
  isRefusal,
  type Refusal,
  refuse,
  type WorkerId,
} from '@millrace/domain'
import { type ChangedWorker, changeWorker, forgetWorker, type WorkerRecords } from './change-worker.ts'
import type { ExtensionDesk } from './register-worker.ts'
import { type AttemptLoss, loseAttempts, type ResumeParts } from './resume-worker.ts'
import type { Channel } from './roster.ts'
import { type Served, type WorkerRecord, workerDueAt } from './worker-record.ts'

export interface LossParts extends WorkerRecords, Pick<ResumeParts, 'assigned' | 'reports'> {
  readonly extensions: Pick<ExtensionDesk, 'withdraw'>
}

/** Its connection broke. It keeps what it runs until the grace period is over. */
export async function workerAway(parts: WorkerRecords, id: WorkerId, channel: Channel): Promise<void> {
  const isStationed = (): boolean => parts.roster.get(id)?.channel === channel
  if (!isStationed()) return
  await changeWorker(parts, id, (known) => {
    if (!known) return refuse('worker_lost')
    // It may have come back over another channel while this was being written.
    if (!isStationed()) return known
    const lease = disconnectLease(known.worker.lease, parts.store.now())
    return lease === known.worker.lease ? known : { ...known, worker: { ...known.worker, lease } }
  })
  if (!isStationed() && parts.roster.get(id)) await workerBack(parts, id)
}

/** It returned while its going away was being written: without this it would get no jobs until its next beat. */
export async function workerBack(parts: WorkerRecords, id: WorkerId): Promise<void> {
  await changeWorker(parts, id, (known) => {
    if (known?.worker.lease.presence !== 'away') return known ?? refuse('worker_lost')
    const worker = hearWorker(known.worker, null, parts.store.now())
    return isRefusal(worker) ? worker : { ...known, worker }
  })
}

/**
 * It closed its connection itself and serves nothing any more: it has stopped in order and will not be back. What it did
 * not finish goes to others at once, and it is no longer listed. One that still serves something may just be reconnecting.
 */
export async function workerLeft(parts: LossParts, id: WorkerId, channel: Channel): Promise<void> {
  if (parts.roster.get(id)?.channel !== channel) return
  const left = await changeWorker(parts, id, (known) => {
    if (!known || known.serves.length > 0) return refuse('worker_lost')
    const lease = endLease(known.worker.lease, parts.store.now())
    return { ...known, worker: { ...known.worker, lease }, leaving: true }
  })
  if (isRefusal(left)) return workerAway(parts, id, channel)
  // A pool is ours: that it was stopped is no loss of a worker, whatever the job's policy says about those.
  const why = left.record.worker.kind === 'pool' ? 'server_stop' : 'worker_lost'
  const gone = await dismantle(parts, left.record, why)
  if (!isRefusal(gone)) await forgetWorker(parts, id, gone.version)
}

/** Its record is due: the lease may have run out, the rest may have been left undone, or it was kept long enough. */
export async function workerDue(parts: LossParts, id: WorkerId, steadySince: number): Promise<void> {
  const lost = await changeWorker(parts, id, (known) => declareLost(known, steadySince, parts.store.now()))
  if (isRefusal(lost)) return
  if (lost.record.leaving) {
    await dismantle(parts, lost.record)
    return
  }
  // Whoever was told of it by an older list finds the work done, and nothing due.
  if (workerDueAt(lost.record) <= parts.store.now()) await forgetWorker(parts, id, lost.version)
}

/** It serves these no longer; what it runs of them it finishes. */
export async function unregister(
  parts: LossParts,
  id: WorkerId,
  isMeant: (served: Served) => boolean,
): Promise<void> {
  const changed = await changeWorker(parts, id, (known) =>
    known ? { ...known, serves: known.serves.filter((served) => !isMeant(served)) } : refuse('worker_lost'),
  )
  if (isRefusal(changed)) return
  for (const served of changed.before?.serves ?? []) {
    if (isMeant(served)) await parts.extensions.withdraw(id, served)
  }
}

function declareLost(known: WorkerRecord | null, steadySince: number, now: number): WorkerRecord | Refusal {
  if (!known) return refuse('worker_lost')
  const { worker } = known
  if (worker.lease.presence === 'lost') return known
  const lease = expireLease(worker.lease, steadySince, now)
  return isRefusal(lease) ? lease : { ...known, worker: { ...worker, lease }, leaving: true }
}

/** Done again by whoever finds it half done. */
export async function dismantle(
  parts: LossParts,
  { worker, serves }: WorkerRecord,
  why: AttemptLoss = 'worker_lost',
): Promise<ChangedWorker | Refusal> {
  parts.roster.leave(worker.id)
  await loseAttempts(parts, worker.id, why)
  for (const served of serves) await parts.extensions.withdraw(worker.id, served)
  return changeWorker(parts, worker.id, (known) => {
    if (!known?.leaving) return refuse('worker_lost')
    const { leaving: _leaving, ...rest } = known
    return { ...rest, serves: [] }
  })
}
