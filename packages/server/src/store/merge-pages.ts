// Pages of several lists made into one page, in the one order both stores keep: that of the keys' UTF-8 bytes.

import type { ListQuery, StoredRecord } from '../ports/store.ts'

export function mergePages(records: readonly StoredRecord[], query: ListQuery): StoredRecord[] {
  const direction = query.order === 'oldest' ? 1 : -1
  const unique = new Map(records.map((record) => [`${record.key}\t${record.partition}`, record]))
  return [...unique.values()]
    .sort((a, b) => direction * (compareNames(a.key, b.key) || compareNames(a.partition, b.partition)))
    .slice(0, query.limit)
}

/** JavaScript compares UTF-16 units, which puts some characters before others that SQLite and Redis put after them. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0
  if (beyondPlainOrder.test(a) || beyondPlainOrder.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

const beyondPlainOrder = /[\ud800-\uffff]/
