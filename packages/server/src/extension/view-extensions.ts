// Extensions as a room sees them: who serves them, what waits, and which of them a name would reach.

import {
  listExtensions as arrangeExtensions,
  diffSchemas,
  type Extension,
  type ExtensionId,
  type ExtensionPolicy,
  isRefusal,
  type ListedExtension,
  liveWorkers,
  type PinnedJobs,
  type Refusal,
  type Room,
  refuse,
  type SchemaChange,
  type SchemaHash,
  type Scope,
  type UserName,
  versionOf,
  type WorkerId,
  waitingFor,
} from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { type SeenBreaker, seenBreaker } from './breaker-view.ts'
import type { ExtensionParts } from './change-extension.ts'
import { placeInReach } from './extension-record.ts'
import { countByVersion, pinnedIn } from './pinned-jobs.ts'

export interface SeenExtension extends ExtensionId {
  readonly hash: SchemaHash
  readonly schema: Readonly<Record<string, unknown>>
  readonly owner: UserName
  readonly workers: number
  /** Jobs of this room that wait in its queues, whatever version they are pinned to. */
  readonly pending: number
  readonly shadowedBy: Scope | null
  /** Versions that jobs of this room wait for, while nobody serves them. */
  readonly waitingFor: readonly SchemaHash[]
  readonly policy: ExtensionPolicy
  readonly registeredAt: number
  readonly paused: NonNullable<Extension['paused']> | null
  readonly breaker: SeenBreaker
}

export interface SeenExtensionDetail extends SeenExtension {
  readonly admitted: readonly UserName[]
  readonly versions: readonly SeenVersion[]
}

export interface SeenVersion {
  readonly hash: SchemaHash
  readonly workers: readonly WorkerId[]
  readonly current: boolean
  readonly registeredAt: number
  /** What leads from the current schema to this one. */
  readonly changes: readonly SchemaChange[]
}

/** Two schemas that have nothing in common are not told apart line by line. */
const changesShown = 50

export async function listExtensions(parts: ExtensionParts, room: Room): Promise<readonly SeenExtension[]> {
  const [inReach, load] = await Promise.all([parts.extensions.listIn(room.name), loadOf(parts.store, room)])
  return arrangeExtensions(inReach).map((listed) => seen(listed, load, parts.store.now()))
}

export async function getExtension(
  parts: ExtensionParts,
  room: Room,
  id: ExtensionId,
): Promise<SeenExtensionDetail | Refusal> {
  if (isRefusal(placeInReach(room, id))) return refuse('extension_not_found')
  const [inReach, load] = await Promise.all([
    parts.extensions.inReach(room.name, id),
    loadOf(parts.store, room),
  ])
  const listed = arrangeExtensions(inReach).find(({ extension }) => extension.id.scope === id.scope)
  if (listed === undefined) return refuse('extension_not_found')
  const { admitted, versions, current } = listed.extension
  return {
    ...seen(listed, load, parts.store.now()),
    admitted,
    versions: versions.map(({ hash, schema, workers, registeredAt }) => ({
      hash,
      workers,
      current: hash === current,
      registeredAt,
      changes: diffSchemas(currentOf(listed.extension).schema, schema).slice(0, changesShown),
    })),
  }
}

/** What the store counts in a room, by queue. */
interface RoomLoad {
  readonly pending: readonly (readonly [string, number])[]
  readonly counters: Readonly<Record<string, number>>
}

async function loadOf(store: Store, room: Room): Promise<RoomLoad> {
  const [queues, counters] = await Promise.all([store.queues(room.name), store.counters(room.name)])
  return { pending: queues.map(({ queue, pending }) => [queue, pending]), counters }
}

function seen(
  { extension, shadowedBy }: ListedExtension,
  { pending, counters }: RoomLoad,
  now: number,
): SeenExtension {
  const { id, owner, registeredAt } = extension
  const { hash, schema, policy } = currentOf(extension)
  return {
    ...id,
    hash,
    schema,
    owner,
    workers: liveWorkers(extension).length,
    pending: sum(countByVersion(extension, pending)),
    shadowedBy,
    waitingFor: waitingFor(extension, pinnedIn(counters, extension)),
    policy,
    registeredAt,
    paused: extension.paused ?? null,
    breaker: seenBreaker(extension, now),
  }
}

function currentOf(extension: Extension): Extension['versions'][number] {
  const version = versionOf(extension, extension.current)
  if (version === undefined) throw new Error(`${extension.id.name} has no current version`)
  return version
}

function sum(counts: PinnedJobs): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
