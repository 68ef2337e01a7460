// A plain model of the store port, for comparison only: maps, sorting, no care for speed. It keeps nothing beyond the
// process, so nobody may run on it; it says what the stores must answer, in the fewest words that are true.

import {
  type Change,
  type Claim,
  type Claimed,
  type Committed,
  type DueRecord,
  type Feed,
  type FeedPosition,
  type ListQuery,
  type Partition,
  type QueueDepth,
  type RecordKey,
  type Stale,
  type Store,
  type StoreDescription,
  type StoredRecord,
  StoreUnavailable,
} from '@millrace/server'
import { checkChange, checkClaim, checkQuery } from './model-checks.ts'
import { ModelFeedLog } from './model-feed-log.ts'
import { compareText, ModelPartition, recordIn } from './model-partition.ts'

export class StoreModel implements Store {
  readonly #partitions = new Map<Partition, ModelPartition>()
  readonly #answers = new Map<string, Committed>()
  readonly #claimedKeys = new Map<string, readonly RecordKey[]>()
  readonly #log = new ModelFeedLog()
  readonly #now: () => number
  #closed = false

  constructor(options: { readonly now?: () => number } = {}) {
    this.#now = options.now ?? Date.now
  }

  now(): number {
    return this.#now()
  }

  async read(partition: Partition, keys: readonly RecordKey[]): Promise<(StoredRecord | null)[]> {
    this.#refuseWhenClosed()
    return keys.map((key) => recordIn(this.#at(partition), key))
  }

  async list(query: ListQuery): Promise<StoredRecord[]> {
    checkQuery(query)
    this.#refuseWhenClosed()
    const wide = query.partition === null
    const where = wide ? [...this.#partitions.values()] : [this.#at(query.partition)]
    const direction = query.order === 'oldest' ? 1 : -1
    return where
      .flatMap((partition) => partition.listed(query.lists, wide))
      .filter(({ key }) => query.after === undefined || compareText(key, query.after) > 0)
      .filter(({ key }) => query.before === undefined || compareText(key, query.before) < 0)
      .toSorted((a, b) => direction * (compareText(a.key, b.key) || compareText(a.partition, b.partition)))
      .slice(0, query.limit)
  }

  async queues(partition?: Partition): Promise<QueueDepth[]> {
    this.#refuseWhenClosed()
    const where = partition === undefined ? [...this.#partitions.values()] : [this.#at(partition)]
    return where
      .flatMap((each) => each.queueDepths())
      .toSorted((a, b) => compareText(a.partition, b.partition) || compareText(a.queue, b.queue))
  }

  async counters(partition: Partition): Promise<Record<string, number>> {
    this.#refuseWhenClosed()
    return Object.fromEntries(this.#at(partition).counters)
  }

  async commit(change: Change): Promise<Committed | Stale> {
    this.#refuseWhenClosed()
    checkChange(change)
    const before = this.#answers.get(change.id)
    if (before) return before
    const partition = this.#at(change.partition)
    const stale = partition.firstStale(expectationsOf(change))
    if (stale) return stale
    this.#partitions.set(change.partition, partition)
    const announced = change.announce ?? []
    partition.apply(change)
    this.#log.append(partition, this.now(), announced)
    const answer: Committed = {
      outcome: 'committed',
      revision: partition.revision,
      sequence: partition.sequence,
    }
    this.#answers.set(change.id, answer)
    return answer
  }

  async claim(claim: Claim): Promise<Claimed> {
    this.#refuseWhenClosed()
    checkClaim(claim)
    const partition = this.#at(claim.partition)
    const before = this.#claimedKeys.get(claim.id)
    if (before) {
      const records = before.map((key) => recordIn(partition, key))
      return { records: records.filter((record, n) => isHeldBy(claim, n, record)) }
    }
    const keys = partition.take(claim)
    if (keys.length === 0) return { records: [] }
    const announced = keys.map((subject, n) => ({ subject, event: claim.attempts[n]?.event ?? '' }))
    this.#log.append(partition, this.now(), announced)
    this.#claimedKeys.set(claim.id, keys)
    return { records: keys.flatMap((key) => recordIn(partition, key) ?? []) }
  }

  async due(now: number, limit: number): Promise<DueRecord[]> {
    this.#refuseWhenClosed()
    return [...this.#partitions.values()]
      .flatMap((partition) => partition.dueUntil(now))
      .toSorted((a, b) => a.dueAt - b.dueAt)
      .slice(0, limit)
  }

  feed(from: FeedPosition | 'now'): Feed {
    this.#refuseWhenClosed()
    return this.#log.read(from)
  }

  async describe(): Promise<StoreDescription> {
    return {
      kind: 'sqlite',
      durability: 'nothing: this is a model and lives in memory',
      survivesProcessDeath: false,
      survivesPowerLoss: false,
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#log.close()
  }

  /** An unknown partition reads as an empty one, and is not kept until something is written into it. */
  #at(name: Partition): ModelPartition {
    return this.#partitions.get(name) ?? new ModelPartition(name)
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new StoreUnavailable('the model is closed')
  }
}

function isHeldBy(claim: Claim, n: number, record: StoredRecord | null): record is StoredRecord {
  return record !== null && record.attempt === claim.attempts[n]?.attempt
}

function expectationsOf({ expect = {}, put = [] }: Change): (readonly [RecordKey, number])[] {
  const ofPuts = put.flatMap(({ key, expect: version }) =>
    version === undefined ? [] : [[key, version] as const],
  )
  return [...Object.entries(expect), ...ofPuts]
}
