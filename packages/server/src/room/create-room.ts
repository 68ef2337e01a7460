// Makes a room; whoever makes it owns it.

import {
  type Caller,
  type Deed,
  createRoom as decideRoom,
  isRefusal,
  parseRoomName,
  type Refusal,
  type RoomAccess,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { newId } from '../new-id.ts'
import type { ChangedRoom, RoomParts } from './change-room.ts'
import { announceRoom, putRoom, roomKey } from './room-record.ts'

export interface RoomRequest {
  readonly name: string
  readonly access?: RoomAccess
}

export async function createRoom(
  { store, rooms }: RoomParts,
  who: Caller,
  { name, access = 'open' }: RoomRequest,
): Promise<ChangedRoom | Refusal> {
  const parsed = parseRoomName(name)
  if (isRefusal(parsed)) return parsed
  for (;;) {
    const known = await rooms.fresh(parsed)

    const now = store.now()
    const room = decideRoom(known?.value ?? null, { name, access }, who, now)
    if (isRefusal(room)) return room

    const change = {
      id: newId(now),
      partition: room.name,
      put: [putRoom(room, 0)],
      announce: [announceRoom(room)],
    }
    const deed: Deed = { who, action: 'room.create', target: name, details: { access } }
    const outcome = await store.commit(recorded(change, deed, now))
    rooms.forget(room.name, roomKey(room.name))
    if (outcome.outcome === 'committed') return { room, effects: [] }
  }
}
