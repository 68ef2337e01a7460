// What a room is and how one begins. Frames, chat and jobs belong to the room but are not part of this record.

import type { RoomName, UserName } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller } from './caller.ts'
import { parseRoomName } from './room-name.ts'

export type RoomAccess = 'open' | 'private'

export type MemberRole = 'owner' | 'member' | 'viewer'

export interface Member {
  readonly user: UserName
  readonly role: MemberRole
}

export interface RoomSettings {
  /** Jobs of this room that may run at once; null for no limit. */
  readonly limit: number | null
  /** The room's share when placement has to divide: twice the weight, twice the share. */
  readonly weight: number
}

export interface Room {
  readonly name: RoomName
  readonly access: RoomAccess
  /** A list and not a record: a user name as a key could collide with what every object inherits. */
  readonly members: readonly Member[]
  readonly settings: RoomSettings
  readonly createdAt: number
}

export const defaultRoomSettings: RoomSettings = { limit: null, weight: 1 }

export function createRoom(
  existing: Room | null,
  request: { readonly name: string; readonly access: RoomAccess },
  who: Caller,
  now: number,
): Room | Refusal {
  const name = parseRoomName(request.name)
  if (isRefusal(name)) return name
  if (who.role === 'guest') return refuse('room_guest_cannot_own')
  if (who.role === 'pool') return refuse('room_forbidden', 'A pool has no rooms of its own.')
  if (who.onlyRoom !== undefined) return refuse('room_forbidden', 'A token for one room makes no others.')
  if (existing !== null) return refuse('room_name_taken')
  return {
    name,
    access: request.access,
    members: [{ user: who.user, role: 'owner' }],
    settings: defaultRoomSettings,
    createdAt: now,
  }
}
