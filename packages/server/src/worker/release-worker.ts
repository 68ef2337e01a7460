// Our own worker is gone and will not be back, whether or not it said so: what it did not finish goes to others at once.

import { endLease, isRefusal, refuse, type WorkerId } from '@millrace/domain'
import { changeWorker, forgetWorker } from './change-worker.ts'
import { dismantle, type LossParts } from './lose-worker.ts'

/** One that took its leave in good order has left nothing to do. */
export async function releaseWorker(parts: LossParts, id: WorkerId): Promise<void> {
  const left = await changeWorker(parts, id, (known) => {
    if (!known) return refuse('worker_lost')
    const lease = endLease(known.worker.lease, parts.store.now())
    return { ...known, worker: { ...known.worker, lease }, leaving: true }
  })
  if (isRefusal(left)) return
  const gone = await dismantle(parts, left.record, 'server_stop')
  if (!isRefusal(gone)) await forgetWorker(parts, id, gone.version)
}
