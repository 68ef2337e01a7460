// Keeps the audit trail within its bounds: entries go when they are old enough, and the oldest of a partition when it has
// too many, so that no room's trail is pushed out by another's. Every replica does it; a removal names the version it saw.

import type { FeedBatch, FeedListener } from '../feed/feed-relay.ts'
import { newId } from '../new-id.ts'
import type { Partition, Store, StoredRecord } from '../ports/store.ts'
import { auditCounter, auditList, auditPrefix, entryOfRecord } from './audit-record.ts'

export interface AuditBounds {
  readonly retentionMs: number
  /** In each room, and of what belongs to none. */
  readonly maxEntries: number
}

const everyMs = 60_000
const recordsAtOnce = 500

export class AuditKeeper implements FeedListener {
  readonly #store: Store
  readonly #bounds: AuditBounds
  readonly #grown = new Set<Partition>()
  #trimmedAt = Number.NEGATIVE_INFINITY

  constructor(store: Store, bounds: AuditBounds) {
    this.#store = store
    this.#bounds = bounds
  }

  onBatch({ partition, events }: FeedBatch): void {
    if (events.some(({ subject }) => subject.startsWith(auditPrefix))) this.#grown.add(partition)
  }

  /** What was missed is noticed with the next entry. */
  onReset(): void {}

  /** Does nothing when it was done a moment ago. */
  async trim(): Promise<void> {
    const now = this.#store.now()
    if (now - this.#trimmedAt < everyMs) return
    this.#trimmedAt = now
    await this.#removeOld(now - this.#bounds.retentionMs)
    for (const partition of [...this.#grown]) {
      this.#grown.delete(partition)
      await this.#removeBeyond(partition)
    }
  }

  async #removeOld(until: number): Promise<void> {
    for (;;) {
      const records = await this.#oldest(null, recordsAtOnce)
      const old = records.filter((record) => entryOfRecord(record).at <= until)
      const isRemoved = await this.#remove(old)
      if (old.length < recordsAtOnce || !isRemoved) return
    }
  }

  async #removeBeyond(partition: Partition): Promise<void> {
    for (;;) {
      const counters = await this.#store.counters(partition)
      const excess = (counters[auditCounter] ?? 0) - this.#bounds.maxEntries
      if (excess <= 0) return
      const records = await this.#oldest(partition, Math.min(excess, recordsAtOnce))
      if (records.length === 0 || !(await this.#remove(records))) return
    }
  }

  #oldest(partition: Partition | null, limit: number): Promise<readonly StoredRecord[]> {
    return this.#store.list({ partition, lists: [auditList], order: 'oldest', limit })
  }

  /** False when another replica was faster, which then goes on; the counter stays true either way. */
  async #remove(records: readonly StoredRecord[]): Promise<boolean> {
    for (const [partition, its] of byPartition(records)) {
      const { outcome } = await this.#store.commit({
        id: newId(this.#store.now()),
        partition,
        expect: Object.fromEntries(its.map(({ key, version }) => [key, version])),
        remove: its.map(({ key }) => key),
        add: { [auditCounter]: -its.length },
      })
      if (outcome === 'stale') return false
    }
    return true
  }
}

function byPartition(records: readonly StoredRecord[]): ReadonlyMap<Partition, readonly StoredRecord[]> {
  const partitions = new Map<Partition, StoredRecord[]>()
  for (const record of records) {
    const its = partitions.get(record.partition)
    if (its) its.push(record)
    else partitions.set(record.partition, [record])
  }
  return partitions
}
