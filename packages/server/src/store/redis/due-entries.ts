// What is due in one shard, from the entries its script names: a record, or a group of records that got their dueAt
// together. Some of a group may have another by now, which their rows tell.

import type { DueRecord, Partition, RecordKey } from '../../ports/store.ts'
import type { Keys } from './keys.ts'
import type { RedisConnection } from './redis-connection.ts'
import { isDueBy, sizeOfGroup } from './row-text.ts'

interface DueEntry {
  readonly partition: Partition
  readonly key: RecordKey
  /** Absent: the entry is that of the key. */
  readonly group?: string
  readonly dueAt: number
}

/** `reply` holds two for each entry, the earliest first: member, dueAt. */
export async function dueRecords(
  connection: RedisConnection,
  keys: Keys,
  reply: readonly string[],
  limit: number,
): Promise<DueRecord[]> {
  const entries = parseEntries(reply)
  const found: DueRecord[] = []
  for (let next = 0; next < entries.length && found.length < limit; ) {
    const some: DueEntry[] = []
    for (let hoped = found.length; hoped < limit && next < entries.length; next++) {
      const entry = entries[next]
      if (!entry) continue
      some.push(entry)
      hoped += entry.group === undefined ? 1 : sizeOfGroup(entry.group)
    }
    const records = await Promise.all(some.map((entry) => recordsOf(connection, keys, entry)))
    found.push(...records.flat())
  }
  return found
}

function parseEntries(reply: readonly string[]): DueEntry[] {
  const entries: DueEntry[] = []
  for (let at = 0; at < reply.length; at += 2) {
    const [partition = '', key = '', group] = (reply[at] ?? '').split('\t')
    entries.push({ partition, key, dueAt: Number(reply[at + 1]), ...(group !== undefined && { group }) })
  }
  return entries
}

async function recordsOf(
  connection: RedisConnection,
  keys: Keys,
  { partition, key, group, dueAt }: DueEntry,
): Promise<DueRecord[]> {
  if (group === undefined) return [{ partition, key, dueAt }]
  const { groups, heads } = keys.partition(partition)
  const text = await connection.call((client) => client.hget(groups, `k${group}`))
  if (text === null) return []
  const members = text.split('\t')
  const rows = await connection.call((client) => client.hmget(heads, ...members))
  return members.flatMap((member, index) => {
    const row = rows[index]
    return row != null && isDueBy(row, group) ? [{ partition, key: member, dueAt }] : []
  })
}
