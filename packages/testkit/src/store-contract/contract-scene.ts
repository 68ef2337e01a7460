// What a case of the store contract works with: one store shared by all cases, rooms nobody else uses, and short ways
// to say a change or a claim. Cases never share a room, so they need no clean-up and no order.

import type {
  Change,
  Claim,
  Committed,
  ListQuery,
  Partition,
  Put,
  RecordKey,
  Store,
  StoredRecord,
} from '@millrace/server'
import { expect } from 'vitest'
import { changeId } from './change-id.ts'

export interface OpenOptions {
  readonly now?: () => number
}

export interface OpenedStore {
  readonly store: Store
  /** Lets go of everything, also of what the store was kept in. */
  close(): Promise<void>
  /** Another store on the same data; called when the first was closed. */
  reopen?(): Promise<Store>
}

export type OpenStore = (options: OpenOptions) => Promise<OpenedStore>

export interface ContractScene {
  readonly store: Store
  /** A partition no other case uses; the suffix ends its name. */
  room(suffix?: string): Partition
  /** A name no other case uses, for what is kept across partitions. */
  name(): string
  /** An empty store of the case's own, let go when the case ends. */
  openOwn(options?: OpenOptions): Promise<OpenedStore>
}

export interface ContractCase {
  readonly title: string
  readonly run: (scene: ContractScene) => Promise<void>
}

/** Far enough away that no case which asks what is due meets the records of another. */
export const farAway: number = Date.UTC(2999, 0, 1)

export function change(partition: Partition, parts: Omit<Change, 'id' | 'partition'>): Change {
  return { id: changeId(), partition, ...parts }
}

export function claim(
  partition: Partition,
  queue: string,
  wanted: number,
  parts: Partial<Omit<Claim, 'partition' | 'queue'>> = {},
): Claim {
  const attempts = Array.from({ length: wanted }, (_, n) => ({
    attempt: `attempt ${n}`,
    dueAt: farAway,
    event: `claimed ${n}`,
  }))
  return { id: changeId(), partition, queue, attempts, move: { from: 'pending', to: 'assigned' }, ...parts }
}

/** Keys whose order is the order of their numbers. */
export function jobKey(n: number): RecordKey {
  return `job/${String(n).padStart(6, '0')}`
}

export function queued(key: RecordKey, score: number, parts: Partial<Put> = {}): Put {
  return { key, head: `head of ${key}`, queue: { name: 'queue', score }, ...parts }
}

export async function commitAll(store: Store, next: Change): Promise<Committed> {
  const answer = await store.commit(next)
  if (answer.outcome === 'stale') expect.fail(`stale: ${answer.key} has version ${answer.version}`)
  return answer
}

export async function put(store: Store, partition: Partition, ...puts: Put[]): Promise<Committed> {
  return commitAll(store, change(partition, { put: puts }))
}

export async function readOne(
  store: Store,
  partition: Partition,
  key: RecordKey,
): Promise<StoredRecord | null> {
  const [record] = await store.read(partition, [key])
  return record ?? null
}

export async function listKeys(
  store: Store,
  query: Partial<ListQuery> & Pick<ListQuery, 'partition' | 'lists'>,
): Promise<RecordKey[]> {
  const records = await store.list({ order: 'oldest', limit: 1000, ...query })
  return records.map(({ key }) => key)
}

export function keysOf(records: readonly { readonly key: RecordKey }[]): RecordKey[] {
  return records.map(({ key }) => key)
}
