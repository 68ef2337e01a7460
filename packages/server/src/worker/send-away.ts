// People decide about a worker: it gets nothing new, it may take jobs again, or it is sent away at once and its jobs go to
// others. One that was sent away may register again; whoever wants it gone for good revokes its credential.

import {
  type Caller,
  type Deed,
  drainWorker,
  isRefusal,
  type Refusal,
  refuse,
  sendWorkerAway,
  undrainWorker,
  type Worker,
  type WorkerId,
} from '@millrace/domain'
import { changeWorker } from './change-worker.ts'
import { getWorker, type SeenWorker, type WorkerViewParts } from './list-workers.ts'
import { dismantle, type LossParts } from './lose-worker.ts'
import type { WorkerRecord } from './worker-record.ts'

type Parts = LossParts & WorkerViewParts & { readonly wake: () => void }

export async function setDraining(
  parts: Parts,
  who: Caller,
  id: string,
  draining: boolean,
): Promise<SeenWorker | Refusal> {
  const action = draining ? 'worker.drain' : 'worker.undrain'
  const changed = await decide(parts, who, id, action, (worker) =>
    draining ? drainWorker(worker, who) : undrainWorker(worker, who),
  )
  if (isRefusal(changed)) return changed
  parts.wake()
  return getWorker(parts, who, id)
}

export async function disconnectWorker(parts: Parts, who: Caller, id: string): Promise<SeenWorker | Refusal> {
  const changed = await decide(parts, who, id, 'worker.disconnect', (worker) =>
    sendWorkerAway(worker, who, parts.store.now()),
  )
  if (isRefusal(changed)) return changed
  if (changed.record.leaving) await dismantle(parts, changed.record)
  return getWorker(parts, who, id)
}

/** Whoever may not see a worker is told that there is none. */
async function decide(
  parts: Parts,
  who: Caller,
  id: string,
  action: Deed['action'],
  decision: (worker: Worker) => Worker | Refusal,
) {
  const seen = await getWorker(parts, who, id)
  if (isRefusal(seen)) return seen
  const deed: Deed = { who, action, target: id, details: { of: seen.record.worker.user } }
  const decided = (known: WorkerRecord | null): WorkerRecord | Refusal => {
    if (!known) return refuse('worker_not_found')
    const worker = decision(known.worker)
    if (isRefusal(worker) || worker === known.worker) return isRefusal(worker) ? worker : known
    return worker.lease.presence === 'lost' ? { ...known, worker, leaving: true } : { ...known, worker }
  }
  return changeWorker(parts, id as WorkerId, decided, deed)
}
