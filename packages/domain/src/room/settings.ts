// What an owner may change about a room: who sees it, how much it runs at once, and its share of scarce slots.

import { type Limit, limitRefusal, whole } from '../limit.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Caller } from './caller.ts'
import type { RoomChanged } from './members.ts'
import { enterRoom } from './rights.ts'
import type { Room, RoomAccess } from './room.ts'

export interface RoomSettingsChange {
  readonly access?: RoomAccess
  readonly limit?: number | null
  readonly weight?: number
}

export const roomSettingLimits: { readonly limit: Limit; readonly weight: Limit } = {
  limit: whole(1, 100_000),
  weight: whole(1, 100),
}

/** The same room where nothing is different. */
export function changeSettings(room: Room, who: Caller, change: RoomSettingsChange): RoomChanged | Refusal {
  const entered = enterRoom(room, who, 'manage')
  if (isRefusal(entered)) return entered
  const { access = room.access, limit = room.settings.limit, weight = room.settings.weight } = change
  const refusal =
    (limit === null
      ? null
      : limitRefusal('room_setting_out_of_range', 'limit', limit, roomSettingLimits.limit)) ??
    limitRefusal('room_setting_out_of_range', 'weight', weight, roomSettingLimits.weight)
  if (refusal !== null) return refusal
  const { settings } = room
  if (access === room.access && limit === settings.limit && weight === settings.weight)
    return { next: room, effects: [] }
  const closes = room.access === 'open' && access === 'private'
  return {
    next: { ...room, access, settings: { limit, weight } },
    effects: closes ? [{ kind: 'disconnect_strangers' }] : [],
  }
}
