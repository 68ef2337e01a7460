// What an extension is: an owner, and versions side by side, one per schema hash. One of them is current and takes new
// jobs; the others stay only for jobs that were validated against them, or for workers that still serve them.

import type { StandingBreaker } from '../breaker/count-outcome.ts'
import type { RoomName, SchemaHash, UserName, WorkerId } from '../ids.ts'
import type { Room } from '../room/room.ts'
import type { ExtensionPolicy } from './extension-policy.ts'
import type { ExtensionId } from './identity.ts'

export interface ExtensionVersion {
  readonly hash: SchemaHash
  readonly schema: Readonly<Record<string, unknown>>
  readonly policy: ExtensionPolicy
  /** The live ones: whoever declares a worker lost withdraws it here. */
  readonly workers: readonly WorkerId[]
  readonly registeredAt: number
}

export interface Extension {
  readonly id: ExtensionId
  /** Null for global and built-in ones. */
  readonly room: RoomName | null
  readonly owner: UserName
  /** Users beside the owner whose workers may serve it. */
  readonly admitted: readonly UserName[]
  readonly current: SchemaHash
  readonly versions: readonly ExtensionVersion[]
  readonly registeredAt: number
  /** Its jobs wait until somebody resumes it. */
  readonly paused?: { readonly by: UserName; readonly at: number }
  /** Absent while it has never opened. */
  readonly breaker?: StandingBreaker
}

/** Where an extension lives: its room for scope `room`, otherwise null. */
export type Home = Room | null

/** Jobs that have not ended, counted by the schema hash they are pinned to. */
export type PinnedJobs = ReadonlyMap<SchemaHash, number>

export function versionOf(extension: Extension, hash: SchemaHash): ExtensionVersion | undefined {
  return extension.versions.find((version) => version.hash === hash)
}

export function liveWorkers(extension: Extension): readonly WorkerId[] {
  return extension.versions.flatMap(({ workers }) => workers)
}

/** A worker serves one version at a time: registering anew, after an edit of its code, gives up the one it held. */
export function withoutWorker(extension: Extension, worker: WorkerId): Extension {
  const versions = extension.versions.map((version) => ({
    ...version,
    workers: version.workers.filter((id) => id !== worker),
  }))
  return { ...extension, versions }
}

/** The hashes whose jobs wait for a worker that is not there; what a listing says instead of a worker count. */
export function waitingFor(extension: Extension, pinned: PinnedJobs): readonly SchemaHash[] {
  return extension.versions
    .filter(({ hash, workers }) => workers.length === 0 && (pinned.get(hash) ?? 0) > 0)
    .map(({ hash }) => hash)
}
