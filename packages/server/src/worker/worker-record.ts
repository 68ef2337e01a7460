// A worker as the store keeps it: what outlives its connection and its replica. What it runs is not here: that is said
// by the jobs, whose attempts name it.

import type {
  Capacity,
  Lease,
  Resources,
  SchemaHash,
  Scope,
  UserName,
  Worker,
  WorkerId,
} from '@millrace/domain'
import { queueOf } from '@millrace/domain'
import type { Announcement, Put, RecordKey, StoredRecord } from '../ports/store.ts'

/** An extension as a worker serves it; the room is null for global and built-in ones. */
export interface Served {
  readonly room: string | null
  readonly scope: Scope
  readonly category: string
  readonly name: string
  readonly hash: SchemaHash
}

export type ChannelKind = 'push' | 'pull'

export interface WorkerRecord {
  readonly worker: Worker
  readonly serves: readonly Served[]
  readonly channel: ChannelKind
  /** Lost, but its attempts and extensions still have to be taken from it; set in the commit that declares it lost. */
  readonly leaving?: true
}

export const workerList = 'workers'
const workerChanged = 'worker:state_changed'

/** How long a lost worker stays listed, so that whoever wonders where it went can see. */
const lostKeptMs = 24 * 3_600_000

const nothingTaken: Resources = { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 }

export function workerKey(id: WorkerId): RecordKey {
  return `worker/${id}`
}

/** What placement matches: the queue, and for an extension of one room that room. */
export function abilityOf(room: string | null, queue: string): string {
  return room === null ? queue : `${room} ${queue}`
}

export function abilitiesOf(serves: readonly Served[]): readonly string[] {
  return serves.map(({ room, scope, category, name, hash }) =>
    abilityOf(room, queueOf({ scope, category, extension: name, schemaHash: hash })),
  )
}

/** When something has to be done about it: its lease ends, or it was lost and has been listed for long enough. */
export function workerDueAt({ worker, leaving }: WorkerRecord): number {
  const gone = worker.lease.presence === 'lost' && !leaving
  return worker.lease.leaseUntil + (gone ? lostKeptMs : 0)
}

export function putWorker(record: WorkerRecord, expect: number): Put {
  const { worker, serves, channel, leaving } = record
  const { capacity, ...rest } = worker
  const { total, labels } = capacity
  return {
    key: workerKey(worker.id),
    expect,
    head: JSON.stringify({ ...rest, total, labels, serves, channel, leaving }),
    lists: [workerList],
    dueAt: workerDueAt(record),
  }
}

export function announceWorker({ worker }: WorkerRecord): Announcement {
  const event = { type: workerChanged, worker: worker.id, presence: worker.lease.presence, user: worker.user }
  return { subject: workerKey(worker.id), event: JSON.stringify(event) }
}

interface WorkerText extends Omit<Worker, 'capacity'> {
  readonly user: UserName
  readonly lease: Lease
  readonly total: Resources
  readonly labels: readonly string[]
  readonly serves: readonly Served[]
  readonly channel: ChannelKind
  readonly leaving?: true
}

export function workerOfRecord({ head }: Pick<StoredRecord, 'head'>): WorkerRecord {
  const { total, labels, serves, channel, leaving, ...rest } = JSON.parse(head) as WorkerText
  const capacity: Capacity = { total, labels, taken: nothingTaken }
  return { worker: { ...rest, capacity }, serves, channel, ...(leaving && { leaving }) }
}
