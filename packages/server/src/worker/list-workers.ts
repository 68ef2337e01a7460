// Workers as people see them: their own, those that serve a room they may read, and all of them for an admin.

import {
  type Caller,
  freeOf,
  type Health,
  healthOf,
  mayRead,
  type Refusal,
  type Resources,
  refuse,
  type UserName,
  type WorkerId,
} from '@millrace/domain'
import type { OtherReplicas, PoolSummaries } from '../placement/pool-summaries.ts'
import type { RecordKey, Store } from '../ports/store.ts'
import type { Rooms } from '../room/rooms.ts'
import { freeOn, type Roster } from './roster.ts'
import { type Served, type WorkerRecord, workerKey, workerList, workerOfRecord } from './worker-record.ts'

export interface WorkerViewParts {
  readonly store: Store
  readonly rooms: Rooms
  readonly roster: Roster
  readonly summaries: Pick<PoolSummaries, 'others'>
}

export interface SeenWorker {
  readonly record: WorkerRecord
  readonly health: Health
  /** As its replica knows it, or last said. */
  readonly free: Resources
  readonly running: number
}

const recordsAtOnce = 500

export async function listWorkers(parts: WorkerViewParts, who: Caller): Promise<readonly SeenWorker[]> {
  const others = await parts.summaries.others()
  const seen: SeenWorker[] = []
  for await (const record of allWorkers(parts.store, { mayLag: true })) {
    const shown = await shownTo(parts, who, record)
    if (shown) seen.push(look(parts, others, shown))
  }
  return seen
}

export async function getWorker(
  parts: WorkerViewParts,
  who: Caller,
  id: string,
): Promise<SeenWorker | Refusal> {
  const [found] = await parts.store.read('system', [workerKey(id as WorkerId)])
  const shown = found ? await shownTo(parts, who, workerOfRecord(found)) : null
  return shown ? look(parts, await parts.summaries.others(), shown) : refuse('worker_not_found')
}

export function workersOf(store: Store): (user: UserName) => Promise<readonly WorkerId[]> {
  return async (user) => {
    const found: WorkerId[] = []
    for await (const { worker } of allWorkers(store)) if (worker.user === user) found.push(worker.id)
    return found
  }
}

async function* allWorkers(store: Store, lag: { readonly mayLag?: true } = {}): AsyncGenerator<WorkerRecord> {
  for (let after: RecordKey | undefined; ; ) {
    const records = await store.list({
      partition: 'system',
      lists: [workerList],
      order: 'oldest',
      limit: recordsAtOnce,
      ...lag,
      ...(after !== undefined && { after }),
    })
    yield* records.map(workerOfRecord)
    if (records.length < recordsAtOnce) return
    after = records.at(-1)?.key
  }
}

/** The worker with what it serves in rooms they may read, and nothing of others; null where that leaves no room. */
async function shownTo(
  { rooms }: WorkerViewParts,
  who: Caller,
  record: WorkerRecord,
): Promise<WorkerRecord | null> {
  if (record.worker.user === who.user || who.role === 'admin') return record
  const serves: Served[] = []
  for (const served of record.serves) {
    const known = served.room === null ? null : await rooms.get(served.room)
    if (served.room === null || (known && mayRead(known.value, who))) serves.push(served)
  }
  return serves.some(({ room }) => room !== null) ? { ...record, serves } : null
}

function look(
  { store, roster }: WorkerViewParts,
  { supplies }: OtherReplicas,
  record: WorkerRecord,
): SeenWorker {
  const stationed = roster.get(record.worker.id)
  const told = supplies.get(record.worker.id)
  const elsewhere = told?.free ?? freeOf(record.worker.capacity)
  return {
    record,
    health: healthOf(record.worker, store.now()),
    free: stationed ? freeOn(stationed) : elsewhere,
    running: stationed?.running.size ?? told?.running ?? 0,
  }
}
