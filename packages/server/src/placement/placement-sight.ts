// What somebody may know of a pass: which of its rooms, and which of its workers. The rules are those of the lists of
// rooms and workers.

import { type Caller, mayRead, type PlacementSnapshot, type WorkerSupply } from '@millrace/domain'
import type { Rooms } from '../room/rooms.ts'
import type { Roster } from '../worker/roster.ts'

export interface SightParts {
  readonly rooms: Rooms
  readonly roster: Roster
}

export interface Sight {
  readonly isAdmin: boolean
  room(name: string): boolean
  worker(supply: WorkerSupply): boolean
}

export async function sightOf(
  { rooms, roster }: SightParts,
  who: Caller,
  snapshots: Iterable<PlacementSnapshot>,
): Promise<Sight> {
  const isAdmin = who.role === 'admin'
  if (isAdmin) return { isAdmin, room: () => true, worker: () => true }
  const named = new Set<string>()
  for (const { classes, workers } of snapshots) {
    for (const { room } of classes) named.add(room)
    for (const { abilities } of workers) for (const ability of abilities) named.add(homeOf(ability) ?? '')
  }
  named.delete('')
  const seen = new Set<string>()
  for (const name of named) {
    const known = await rooms.get(name)
    if (known && mayRead(known.value, who)) seen.add(name)
  }
  return {
    isAdmin,
    room: (name) => seen.has(name),
    worker: ({ id, abilities }) =>
      roster.get(id)?.record.worker.user === who.user ||
      abilities.some((ability) => seen.has(homeOf(ability) ?? '')),
  }
}

/** The room of an extension that belongs to one, by its name among the abilities; null for the others. */
export function homeOf(ability: string): string | null {
  const end = ability.indexOf(' ')
  return end < 0 ? null : ability.slice(0, end)
}
