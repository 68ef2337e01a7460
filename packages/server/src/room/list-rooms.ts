// Pages of the rooms that somebody may see, by name.

import {
  type Caller,
  isRefusal,
  mayRead,
  parseRoomName,
  type Refusal,
  type Room,
  type RoomName,
} from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import type { RoomParts } from './change-room.ts'
import { roomKey, roomList, roomOfRecord } from './room-record.ts'

export interface RoomsPage {
  readonly rooms: readonly Room[]
  /** Where the next page begins; absent when there is nothing further. Always a room of this page. */
  readonly after?: RoomName
}

const recordsAtOnce = 200

/**
 * Walks on until the page is full or there are no more: to end earlier it would have to name, as the place to go on
 * from, a room that the caller must not know of.
 */
export async function listRooms(
  parts: RoomParts,
  who: Caller,
  after: string | undefined,
  limit: number,
): Promise<RoomsPage | Refusal> {
  const bound = after === undefined ? undefined : parseRoomName(after)
  if (isRefusal(bound)) return bound
  if (who.onlyRoom !== undefined) return { rooms: await onlyRoomOf(parts, who, bound) }
  const found: Room[] = []
  for await (const room of allRooms(parts.store, bound)) {
    if (!mayRead(room, who)) continue
    if (found.length === limit) return { rooms: found, ...nextAfter(found) }
    found.push(room)
  }
  return { rooms: found }
}

/** Every room of the store by name; it may lag behind commits. */
export async function* allRooms(store: Store, after?: string): AsyncGenerator<Room> {
  for (let from = after; ; ) {
    const records = await store.list({
      partition: null,
      lists: [roomList],
      order: 'oldest',
      limit: recordsAtOnce,
      ...(from !== undefined && { after: roomKey(from) }),
    })
    const rooms = records.map(roomOfRecord)
    yield* rooms
    if (rooms.length < recordsAtOnce) return
    from = rooms.at(-1)?.name
  }
}

async function onlyRoomOf(
  { rooms }: RoomParts,
  who: Caller,
  after: string | undefined,
): Promise<readonly Room[]> {
  const name = who.onlyRoom
  if (name === undefined || (after !== undefined && name <= after)) return []
  const known = await rooms.get(name)
  return known !== null && mayRead(known.value, who) ? [known.value] : []
}

function nextAfter(rooms: readonly Room[]): { readonly after?: RoomName } {
  const last = rooms.at(-1)
  return last ? { after: last.name } : {}
}
