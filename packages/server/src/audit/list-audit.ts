// Pages of the audit trail, newest first: the whole of it, or what concerns one room. A walk that finds little ends after
// a bound and goes on from its cursor.

import {
  type AuditEntry,
  type AuditFilter,
  type Caller,
  isRefusal,
  meetsAuditFilter,
  type Refusal,
  trailRefusal,
} from '@millrace/domain'
import { firstIdAt } from '../new-id.ts'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'
import { openRoom, type Rooms } from '../room/rooms.ts'
import { auditKey, auditList, auditListOfRoom, entryOfRecord } from './audit-record.ts'

export interface AuditQuery {
  /** Null: the whole trail. */
  readonly room: string | null
  readonly filter: AuditFilter
  /** At or after, and before. */
  readonly since?: number
  readonly until?: number
  readonly cursor?: string
  readonly limit: number
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Absent: there is nothing further. */
  readonly cursor?: string
}

const recordsAtOnce = 200
const lookAtMost = 5_000

export async function listAudit(
  { store, rooms }: { readonly store: Store; readonly rooms: Rooms },
  who: Caller,
  query: AuditQuery,
): Promise<AuditPage | Refusal> {
  const door = query.room === null ? trailRefusal(who) : await openRoom(rooms, query.room, who, 'manage')
  return isRefusal(door) ? door : pageOf(store, query)
}

async function pageOf(store: Store, query: AuditQuery): Promise<AuditPage> {
  const entries: AuditEntry[] = []
  const after = query.since === undefined ? undefined : auditKey(firstIdAt(query.since))
  let before = query.cursor ?? (query.until === undefined ? undefined : auditKey(firstIdAt(query.until)))
  for (let looked = 0; ; ) {
    const records = await recordsBetween(store, query.room, after, before)
    for (const record of records) {
      const entry = entryOfRecord(record)
      if (!meetsAuditFilter(entry, query.filter)) continue
      entries.push(entry)
      if (entries.length === query.limit) return { entries, cursor: record.key }
    }
    looked += records.length
    before = records.at(-1)?.key
    if (before === undefined || records.length < recordsAtOnce) return { entries }
    if (looked >= lookAtMost) return { entries, cursor: before }
  }
}

/** What lies with a room, and what concerns it and lies elsewhere, in one order. */
async function recordsBetween(
  store: Store,
  room: string | null,
  after: RecordKey | undefined,
  before: RecordKey | undefined,
): Promise<readonly StoredRecord[]> {
  const bounds = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
  const list = (partition: string | null, name: string) =>
    store.list({ partition, lists: [name], order: 'newest', limit: recordsAtOnce, mayLag: true, ...bounds })
  if (room === null) return list(null, auditList)
  const pages = await Promise.all([list(room, auditList), list('system', auditListOfRoom(room))])
  return pages
    .flat()
    .toSorted((a, b) => (a.key < b.key ? 1 : -1))
    .slice(0, recordsAtOnce)
}
