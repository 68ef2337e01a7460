// How extensions and their versions go away. Nothing goes while a job is pinned to it: the job would have no schema to
// be shown or redriven with, and nothing to say about what it waits for.

import type { WorkerId } from '../ids.ts'
import {
  type Extension,
  type ExtensionVersion,
  liveWorkers,
  type PinnedJobs,
  withoutWorker,
} from './extension.ts'

export interface Withdrawn {
  /** Null: the extension is gone. */
  readonly next: Extension | null
  /** Whether it vanished or lost its last worker: then `schema:invalidated` is announced. */
  readonly invalidates: boolean
}

/** The worker unregistered, was dismissed, or was declared lost. */
export function withdrawWorker(extension: Extension, worker: WorkerId, pinned: PinnedJobs): Withdrawn {
  if (!liveWorkers(extension).includes(worker)) return { next: extension, invalidates: false }
  const next = settleExtension(withoutWorker(extension, worker), pinned)
  return { next, invalidates: next === null || liveWorkers(next).length === 0 }
}

/** Also asked when a pinned job ends: the last one takes a version, or the whole extension, with it. */
export function settleExtension(extension: Extension, pinned: PinnedJobs): Extension | null {
  // The form of a built-in extension is shown even while the pool is away.
  if (extension.id.scope === 'builtin') return settleVersions(extension, pinned)
  const inUse = extension.versions.some((version) => isInUse(version, pinned))
  return inUse ? settleVersions(extension, pinned) : null
}

/** Drops versions that nobody serves and nothing is pinned to; the current one stays. */
export function settleVersions(extension: Extension, pinned: PinnedJobs): Extension {
  const versions = extension.versions.filter(
    (version) => version.hash === extension.current || isInUse(version, pinned),
  )
  return versions.length === extension.versions.length ? extension : { ...extension, versions }
}

function isInUse({ hash, workers }: ExtensionVersion, pinned: PinnedJobs): boolean {
  return workers.length > 0 || (pinned.get(hash) ?? 0) > 0
}
