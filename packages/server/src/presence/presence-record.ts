// Who is at one replica, as it tells the others: one record for each replica, which only it writes, and which ends by
// itself when the replica does.

import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'

/** Sessions by user, by room. */
export type PeopleByRoom = ReadonlyMap<string, ReadonlyMap<string, number>>

export interface ReplicaPeople {
  readonly until: number
  readonly rooms: PeopleByRoom
}

export const presenceList = 'presence'
const presencePrefix = 'presence/'
const presenceChanged = 'presence:changed'

export function presenceKey(replica: string): RecordKey {
  return presencePrefix + replica
}

export function isPresence(subject: RecordKey): boolean {
  return subject.startsWith(presencePrefix)
}

export function putPresence(replica: string, { until, rooms }: ReplicaPeople): Put {
  const texts = [...rooms].map(([room, people]) => [room, [...people]])
  const head = JSON.stringify({ until, rooms: texts })
  return { key: presenceKey(replica), head, lists: [presenceList], dueAt: until }
}

export function announcePresence(replica: string, rooms: readonly string[]): Announcement {
  return { subject: presenceKey(replica), event: JSON.stringify({ type: presenceChanged, rooms }) }
}

export function roomsTold(event: string): readonly string[] {
  return (JSON.parse(event) as { readonly rooms: readonly string[] }).rooms
}

export function presenceOfRecord({ head }: StoredRecord): ReplicaPeople {
  type Text = { readonly until: number; readonly rooms: readonly [string, [string, number][]][] }
  const { until, rooms } = JSON.parse(head) as Text
  return { until, rooms: new Map(rooms.map(([room, people]) => [room, new Map(people)])) }
}
