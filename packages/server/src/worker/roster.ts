// The workers stationed at this replica: those it may push jobs to, what each of them runs, and what is free. It is
// memory, rebuilt when workers return; what counts after a crash is the store.

import type {
  AttemptToken,
  Capacity,
  JobId,
  ResourceNeed,
  RoomName,
  StopHow,
  UserName,
  Vitals,
  WorkerId,
  WorkerSupply,
} from '@millrace/domain'
import { freeOf, giveBack, healthOf, isRefusal, type Job, take } from '@millrace/domain'
import { abilitiesOf, type WorkerRecord } from './worker-record.ts'

/** What a job takes of its worker, and whether it counted as short when it was placed. */
export interface Hold {
  readonly need: ResourceNeed
  readonly short: boolean
}

export interface RunningAttempt extends Hold {
  readonly room: RoomName
  readonly job: JobId
  readonly token: AttemptToken
}

/** Not taken: the worker had shrunk below it, so there is nothing to give back. */
interface HeldAttempt extends RunningAttempt {
  readonly taken: boolean
  /** The last order to stop that its worker was given over its channel. */
  told: StopHow | null
}

export type StopOrder = Pick<RunningAttempt, 'room' | 'job' | 'token'> & { readonly how: StopHow }

/** How jobs reach a worker: over its socket, or as the answer to its question. */
export interface Channel {
  /** How many jobs it can take at this moment, whatever its slots say. */
  ready(): number
  /** Answers those that nobody was there to take. */
  assign(jobs: readonly Job[]): readonly Job[]
  stop(orders: readonly StopOrder[]): void
  /** Asks for a sign of life; a pull worker gives its own unasked. */
  ask?(answered: (vitals: Vitals | null) => void): void
  close(): void
}

export interface Stationed {
  record: WorkerRecord
  /** Jobs that are being claimed for it: each will need room in the channel as well. */
  reserved: number
  /** What it has and what is taken of it; the record's own knows only what it has. */
  capacity: Capacity
  /** Of the slots that are taken, those of jobs that are not short. */
  heldByLong: number
  version: number
  readonly channel: Channel
  readonly running: Map<AttemptToken, HeldAttempt>
  abilities: readonly string[]
  /** When its beat was last asked for. */
  askedAt: number
}

export class Roster {
  readonly #stationed = new Map<WorkerId, Stationed>()
  readonly #workerOf = new Map<AttemptToken, WorkerId>()
  readonly #tokensOf = new Map<JobId, readonly AttemptToken[]>()

  get(id: WorkerId): Stationed | undefined {
    return this.#stationed.get(id)
  }

  all(): Iterable<Stationed> {
    return this.#stationed.values()
  }

  get size(): number {
    return this.#stationed.size
  }

  /** A worker that returns over a new channel keeps what it runs; the old channel is closed. */
  station(record: WorkerRecord, version: number, channel: Channel, now: number): Stationed {
    const before = this.#stationed.get(record.worker.id)
    const running = before?.running ?? new Map<AttemptToken, HeldAttempt>()
    if (before?.channel !== channel) for (const attempt of running.values()) attempt.told = null
    const stationed: Stationed = {
      record,
      capacity: { ...record.worker.capacity, taken: before?.capacity.taken ?? none },
      heldByLong: before?.heldByLong ?? 0,
      reserved: before?.reserved ?? 0,
      version,
      channel,
      running,
      abilities: abilitiesOf(record.serves),
      askedAt: now,
    }
    this.#stationed.set(record.worker.id, stationed)
    // After the new one is in place: what closing the old one sets off must not be taken for this worker's going away.
    if (before && before.channel !== channel) before.channel.close()
    return stationed
  }

  /** The record was committed anew; what the worker has taken is this roster's own knowledge. */
  update(id: WorkerId, record: WorkerRecord, version: number): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    stationed.record = record
    stationed.capacity = { ...record.worker.capacity, taken: stationed.capacity.taken }
    stationed.version = version
    stationed.abilities = abilitiesOf(record.serves)
  }

  leave(id: WorkerId): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    for (const { job, token } of stationed.running.values()) this.#forget(job, token)
    this.#stationed.delete(id)
    stationed.channel.close()
  }

  /** Sets aside what a job will take, before it is known which: plans made meanwhile must not give it away again. */
  reserve(id: WorkerId, hold: Hold): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    occupy(stationed, hold)
    stationed.reserved += 1
  }

  /** There was no job for it after all. */
  release(id: WorkerId, hold: Hold): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    unreserve(stationed)
    free(stationed, hold)
  }

  /** Notes an attempt for which room was reserved. */
  beginReserved(id: WorkerId, attempt: RunningAttempt): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    unreserve(stationed)
    this.#hold(stationed, attempt, true)
  }

  /** Notes what a worker runs. One that shrank meanwhile may hold more than it offers; it then gets nothing new. */
  begin(id: WorkerId, attempt: RunningAttempt): void {
    const stationed = this.#stationed.get(id)
    if (!stationed || stationed.running.has(attempt.token)) return
    this.#hold(stationed, attempt, occupy(stationed, attempt))
  }

  #hold(stationed: Stationed, { room, job, token, need, short }: RunningAttempt, taken: boolean): void {
    stationed.running.set(token, { room, job, token, need, short, taken, told: null })
    this.#workerOf.set(token, stationed.record.worker.id)
    const others = this.#tokensOf.get(job)
    this.#tokensOf.set(job, others ? [...others, token] : [token])
  }

  /** Idempotent: the worker's own report and what the store says of it later both end here. */
  end(token: AttemptToken): boolean {
    const id = this.#workerOf.get(token)
    const stationed = id === undefined ? undefined : this.#stationed.get(id)
    const attempt = stationed?.running.get(token)
    if (!stationed || !attempt) return false
    this.#forget(attempt.job, token)
    stationed.running.delete(token)
    if (attempt.taken) free(stationed, attempt)
    return true
  }

  /** Tells a worker to stop an attempt it holds; the same order is given once. */
  stop(order: StopOrder): void {
    const holder = this.holderOf(order.token)
    const attempt = holder?.running.get(order.token)
    if (!holder || !attempt || attempt.told === order.how) return
    attempt.told = order.how
    holder.channel.stop([order])
  }

  /** More than one when a job came back to this replica before it was heard here that its last attempt is over. */
  tokensOf(job: JobId): readonly AttemptToken[] {
    return this.#tokensOf.get(job) ?? noTokens
  }

  holderOf(token: AttemptToken): Stationed | undefined {
    const id = this.#workerOf.get(token)
    return id === undefined ? undefined : this.#stationed.get(id)
  }

  workersOf(user: UserName): readonly WorkerId[] {
    return [...this.#stationed.values()]
      .filter(({ record }) => record.worker.user === user)
      .map(({ record }) => record.worker.id)
  }

  #forget(job: JobId, token: AttemptToken): void {
    this.#workerOf.delete(token)
    const tokens = this.tokensOf(job)
    const left = tokens.length === 1 && tokens[0] === token ? noTokens : tokens.filter((one) => one !== token)
    if (left.length === 0) this.#tokensOf.delete(job)
    else this.#tokensOf.set(job, left)
  }

  supplies(now: number): readonly WorkerSupply[] {
    return [...this.#stationed.values()].map((stationed) => supplyOf(stationed, now))
  }
}

/** One that left and came back meanwhile has nothing reserved any more. */
function unreserve(stationed: Stationed): void {
  stationed.reserved = Math.max(0, stationed.reserved - 1)
}

/** Whether there was room for it. */
function occupy(stationed: Stationed, { need, short }: Hold): boolean {
  const capacity = take(stationed.capacity, need)
  if (isRefusal(capacity)) return false
  stationed.capacity = capacity
  if (!short) stationed.heldByLong += need.slots
  return true
}

function free(stationed: Stationed, { need, short }: Hold): void {
  const capacity = giveBack(stationed.capacity, need)
  if (isRefusal(capacity)) return
  stationed.capacity = capacity
  if (!short) stationed.heldByLong = Math.max(0, stationed.heldByLong - need.slots)
}

const noTokens: readonly AttemptToken[] = []
const none = { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 }

function supplyOf({ record, capacity, reserved, channel, abilities }: Stationed, now: number): WorkerSupply {
  const { worker } = record
  const left = freeOf(capacity)
  return {
    id: worker.id,
    abilities,
    labels: capacity.labels,
    total: capacity.total,
    free: { ...left, slots: Math.min(left.slots, Math.max(0, channel.ready() - reserved)) },
    health: healthOf(worker, now),
    draining: worker.draining,
  }
}
