// One partition of the model: its records, where each stands, its counters and its numbers.

import type {
  Change,
  Claim,
  DueRecord,
  Partition,
  Put,
  QueueDepth,
  RecordKey,
  Stale,
  StoredRecord,
} from '@millrace/server'

interface ModelRecord extends StoredRecord {
  readonly lists: ReadonlySet<string>
  readonly wideLists: ReadonlySet<string>
  readonly queue: { readonly name: string; readonly score: number } | null
  readonly dueAt: number | null
}

/** The order of code points, which is the order of the bytes in UTF-8; that of UTF-16 differs beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

export class ModelPartition {
  readonly name: Partition
  readonly counters: Map<string, number> = new Map()
  readonly records: Map<RecordKey, ModelRecord> = new Map()
  revision = 0
  sequence = 0

  constructor(name: Partition) {
    this.name = name
  }

  firstStale(expectations: readonly (readonly [RecordKey, number])[]): Stale | null {
    for (const [key, expected] of expectations) {
      const version = this.records.get(key)?.version ?? 0
      if (version !== expected) return { outcome: 'stale', key, version }
    }
    return null
  }

  apply(change: Change): void {
    this.revision += 1
    for (const put of change.put ?? []) this.#put(put)
    for (const key of change.remove ?? []) this.records.delete(key)
    this.#add(change.add ?? {}, 1)
  }

  /** Keys in the order of the attempts attached to them. */
  take(claim: Claim): RecordKey[] {
    const room = (claim.limits ?? []).map(({ counter, max }) => max - (this.counters.get(counter) ?? 0))
    const allowed = Math.max(0, Math.min(claim.attempts.length, ...room))
    const taken = this.#waiting(claim.queue).slice(0, allowed)
    if (taken.length === 0) return []
    this.revision += 1
    for (const [n, record] of taken.entries()) {
      const { attempt = '', dueAt = 0 } = claim.attempts[n] ?? {}
      const wideLists = new Set(record.wideLists)
      if (wideLists.delete(claim.move.from)) wideLists.add(claim.move.to)
      const version = this.revision
      this.records.set(record.key, { ...record, version, attempt, dueAt, wideLists, queue: null })
    }
    this.#add(claim.add ?? {}, taken.length)
    return taken.map(({ key }) => key)
  }

  listed(lists: readonly string[], wideOnly: boolean): StoredRecord[] {
    const inOne = ({ lists: own, wideLists }: ModelRecord): boolean =>
      lists.some((list) => wideLists.has(list) || (!wideOnly && own.has(list)))
    return [...this.records.values()].filter(inOne).map(asStored)
  }

  queueDepths(): QueueDepth[] {
    const names = new Set([...this.records.values()].flatMap(({ queue }) => queue?.name ?? []))
    return [...names].map((queue) => {
      const waiting = this.#waiting(queue)
      return {
        partition: this.name,
        queue,
        pending: waiting.length,
        headScore: waiting[0]?.queue?.score ?? 0,
      }
    })
  }

  dueUntil(now: number): DueRecord[] {
    return [...this.records.values()].flatMap(({ key, dueAt }) =>
      dueAt !== null && dueAt <= now ? [{ partition: this.name, key, dueAt }] : [],
    )
  }

  #waiting(queue: string): ModelRecord[] {
    return [...this.records.values()]
      .filter((record) => record.queue?.name === queue)
      .toSorted((a, b) => (a.queue?.score ?? 0) - (b.queue?.score ?? 0) || compareText(a.key, b.key))
  }

  #put(put: Put): void {
    this.records.set(put.key, {
      partition: this.name,
      key: put.key,
      version: this.revision,
      head: put.head,
      attempt: put.attempt ?? null,
      body: put.body ?? this.records.get(put.key)?.body ?? '',
      lists: new Set(put.lists),
      wideLists: new Set(put.wideLists),
      queue: put.queue ?? null,
      dueAt: put.dueAt ?? null,
    })
  }

  #add(counters: Readonly<Record<string, number>>, times: number): void {
    for (const [name, delta] of Object.entries(counters)) {
      const value = (this.counters.get(name) ?? 0) + delta * times
      if (value === 0) this.counters.delete(name)
      else this.counters.set(name, value)
    }
  }
}

export function recordIn(partition: ModelPartition, key: RecordKey): StoredRecord | null {
  const record = partition.records.get(key)
  return record ? asStored(record) : null
}

function asStored({ partition, key, version, head, attempt, body }: ModelRecord): StoredRecord {
  return { partition, key, version, head, attempt, body }
}
