// Workers leave extensions, and extensions go when nothing holds them any more. Doing it twice changes nothing, so
// whoever finds it half done does it again.

import {
  settleExtension as decideSettling,
  withdrawWorker as decideWithdrawal,
  type Extension,
  isRefusal,
  liveWorkers,
  type PinnedJobs,
  type WorkerId,
} from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { changeExtension, type ExtensionDecision, type ExtensionParts } from './change-extension.ts'
import type { ExtensionPlace } from './extension-record.ts'
import { pinnedJobs } from './pinned-jobs.ts'

export function withdrawWorker(
  parts: ExtensionParts,
  worker: WorkerId,
  place: ExtensionPlace,
): Promise<ExtensionDecision> {
  return decideUnrefused(parts, place, async (extension) => {
    if (!liveWorkers(extension).includes(worker)) return { next: extension, invalidates: false }
    return decideWithdrawal(extension, worker, await pinnedUnlessServed(parts.store, extension, worker))
  })
}

/** Asked when the last pinned job of an extension without workers has ended. */
export function settleExtension(parts: ExtensionParts, place: ExtensionPlace): Promise<ExtensionDecision> {
  return decideUnrefused(parts, place, async (extension) => {
    const next = decideSettling(extension, await pinnedUnlessServed(parts.store, extension, null))
    return { next, invalidates: next !== extension }
  })
}

async function decideUnrefused(
  parts: ExtensionParts,
  place: ExtensionPlace,
  decide: (extension: Extension) => Promise<ExtensionDecision>,
): Promise<ExtensionDecision> {
  const decided = await changeExtension(parts, place, async (extension) =>
    extension === null ? { next: null, invalidates: false } : decide(extension),
  )
  if (isRefusal(decided)) throw new Error(`nobody can refuse a withdrawal, but ${decided.refused} did`)
  return decided
}

/** Counting over all rooms is left out while every version has a worker that stays. */
async function pinnedUnlessServed(
  store: Store,
  extension: Extension,
  leaving: WorkerId | null,
): Promise<PinnedJobs> {
  const served = extension.versions.every(({ workers }) => workers.some((worker) => worker !== leaving))
  return served ? new Map() : pinnedJobs(store, extension)
}
