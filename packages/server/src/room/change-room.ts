// The one way a room's record changes: read, decide, commit, and again from the start when somebody was faster. The
// effects say whose sockets have to go.

import {
  type Caller,
  changeSettings,
  type Deed,
  isRefusal,
  parseRoomName,
  type Refusal,
  type Room,
  type RoomChanged,
  type RoomEffect,
  type RoomSettingsChange,
  refuse,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { newId } from '../new-id.ts'
import type { Store } from '../ports/store.ts'
import { announceRoom, putRoom, roomKey } from './room-record.ts'
import type { Rooms } from './rooms.ts'

export interface RoomParts {
  readonly store: Store
  readonly rooms: Rooms
}

export interface ChangedRoom {
  readonly room: Room
  readonly effects: readonly RoomEffect[]
}

export function changeRoom(
  parts: RoomParts,
  who: Caller,
  name: string,
  change: RoomSettingsChange,
): Promise<ChangedRoom | Refusal> {
  const deed: Deed = { who, action: 'room.change', target: name, details: { ...change } }
  return decideOnRoom(parts, name, deed, (room) => changeSettings(room, who, change))
}

/** `decide` opens the door itself, and answers the same reference when there is nothing to change. */
export async function decideOnRoom(
  { store, rooms }: RoomParts,
  name: string,
  deed: Deed,
  decide: (room: Room) => RoomChanged | Refusal,
): Promise<ChangedRoom | Refusal> {
  if (isRefusal(parseRoomName(name))) return refuse('room_not_found')
  for (;;) {
    const known = await rooms.fresh(name)
    if (known === null) return refuse('room_not_found')

    const decided = decide(known.value)
    if (isRefusal(decided)) return decided
    const { next: room, effects } = decided
    if (room === known.value) return { room, effects }

    const now = store.now()
    const change = {
      id: newId(now),
      partition: room.name,
      put: [putRoom(room, known.version)],
      announce: [announceRoom(room)],
    }
    const outcome = await store.commit(recorded(change, deed, now))
    rooms.forget(room.name, roomKey(room.name))
    if (outcome.outcome === 'committed') return { room, effects }
  }
}
