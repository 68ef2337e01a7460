// Snapshots for tests: each part with plain defaults, so that a test names only what it is about.

import type { RoomName, WorkerId } from '../ids.ts'
import { noResources } from '../worker/resources.ts'
import type { PlacementPlan } from './plan.ts'
import type { ClassDemand, RoomDemand, WorkerSupply } from './snapshot.ts'

export function sampleRoom(name: string, changes: Partial<RoomDemand> = {}): RoomDemand {
  return { name: name as RoomName, limit: null, running: 0, ...changes }
}

/** The class `room/extension`; its ability is the extension. */
export function sampleClass(
  key: `${string}/${string}`,
  pending: number,
  changes: Partial<ClassDemand> = {},
): ClassDemand {
  const [room, extension] = key.split('/') as [string, string]
  return { key, room: room as RoomName, extension, ability: extension, band: 0, pending, ...changes }
}

/** A healthy worker with so many slots, all free, and nothing else. */
export function sampleWorker(
  id: string,
  slots: number,
  abilities: readonly string[],
  changes: Partial<WorkerSupply> = {},
): WorkerSupply {
  const total = { ...noResources, slots, ...changes.total }
  return { id: id as WorkerId, abilities, free: total, health: { ok: true }, ...changes, total }
}

/** How many jobs of each class the plan starts; classes that start nothing are left out. */
export function startsOf({ assignments }: PlacementPlan): Record<string, number> {
  const starts: Record<string, number> = {}
  for (const { class: key, count } of assignments) starts[key] = (starts[key] ?? 0) + count
  return starts
}
