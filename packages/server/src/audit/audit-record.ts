// The audit trail as the store keeps it: entries lie in the partition of what they tell of, so that an action and its entry
// are one change. A wide list has all of them by time, a counter how many a partition holds.

import { type AuditEntry, auditEntry, type Deed, type RoomName } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Announcement, Change, Partition, Put, RecordKey, StoredRecord } from '../ports/store.ts'

export const auditPrefix = 'audit/'
export const auditList = 'audit'
export const auditCounter = 'audit'

const system: Partition = 'system'
const auditAdded = 'audit:added'

/** What concerns a room and lies with what belongs to none, as the tokens made for it. */
export function auditListOfRoom(room: string): string {
  return `audit:${room}`
}

/** The change with the entry of the deed that it is; unchanged where nobody did anything. */
export function recorded(change: Change, deed: Deed | undefined, now: number): Change {
  if (deed === undefined) return change
  const entry = entryOf(change.partition, deed, now)
  return {
    ...change,
    put: [...(change.put ?? []), putEntry(change.partition, entry, 0)],
    add: { ...change.add, [auditCounter]: 1 },
    announce: [...(change.announce ?? []), announceEntry(entry)],
  }
}

export function entryOf(partition: Partition, deed: Deed, now: number): AuditEntry {
  const room = partition === system ? (deed.room ?? null) : (partition as RoomName)
  return auditEntry(newId(now), deed, room, now)
}

export function putEntry(partition: Partition, entry: AuditEntry, expect: number): Put {
  const { id, room } = entry
  return {
    key: auditKey(id),
    expect,
    head: JSON.stringify(entry),
    wideLists: [auditList],
    ...(partition === system && room !== null && { lists: [auditListOfRoom(room)] }),
  }
}

/** For pages that show the trail: that there is something to ask for. */
export function announceEntry({ id, room, actor, action, outcome }: AuditEntry): Announcement {
  const event = JSON.stringify({ type: auditAdded, room, actor, action, outcome })
  return { subject: auditKey(id), event }
}

export function auditKey(id: string): RecordKey {
  return `${auditPrefix}${id}`
}

export function entryOfRecord({ head }: StoredRecord): AuditEntry {
  return JSON.parse(head) as AuditEntry
}
