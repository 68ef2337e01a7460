// A room as the store keeps it: one record in the partition that has its name.

import type { Room } from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'

/** Kept across rooms, for the page that lists them. */
export const roomList = 'rooms'

const roomChanged = 'room:changed'

export function roomKey(name: string): RecordKey {
  return `room/${name}`
}

export function putRoom(room: Room, expect: number): Put {
  return { key: roomKey(room.name), expect, head: JSON.stringify(room), wideLists: [roomList] }
}

export function announceRoom({ name }: Room): Announcement {
  return { subject: roomKey(name), event: JSON.stringify({ type: roomChanged }) }
}

export function roomOfRecord({ head }: StoredRecord): Room {
  return JSON.parse(head) as Room
}
