// The workers stationed at this replica: those it may push jobs to, what each of them runs, and what is free. It is
// memory, rebuilt when workers return; what counts after a crash is the store.

import type {
  Ahead,
  AttemptToken,
  Capacity,
  JobId,
  ResourceNeed,
  Resources,
  RoomName,
  StopHow,
  UserName,
  Vitals,
  WorkerId,
  WorkerSupply,
} from '@millrace/domain'
import { freeOf, giveBack, healthOf, isRefusal, type Job, take } from '@millrace/domain'
import { abilitiesOf, type WorkerRecord } from './worker-record.ts'

/** What a job takes of its worker, and whether it counted as short, or as quick, when it was placed. */
export interface Hold {
  readonly room: RoomName
  readonly need: ResourceNeed
  readonly short: boolean
  readonly quick: boolean
}

export interface RunningAttempt extends Hold {
  readonly job: JobId
  readonly token: AttemptToken
}

/** Not taken: the worker had shrunk below it, so there is nothing to give back. */
interface HeldAttempt extends RunningAttempt {
  holder: Stationed
  readonly taken: boolean
  /** The last order to stop that its worker was given over its channel. */
  told: StopHow | null
}

export type StopOrder = Pick<RunningAttempt, 'room' | 'job' | 'token'> & { readonly how: StopHow }

/** How jobs reach a worker: over its socket, or as the answer to its question. */
export interface Channel {
  /** How many jobs its worker takes beyond its slots, to begin them one after the other. */
  readonly ahead: number
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
  /** What it has, slots ahead included, and what is taken of it; the record's own knows only what it has. */
  capacity: Capacity
  /** Of the slots that are taken, those of jobs that are not short, and those of jobs that are not quick. */
  heldByLong: number
  heldBySlow: number
  /** The slots that are taken, by the rooms that took them. */
  readonly heldBy: Map<RoomName, number>
  version: number
  readonly channel: Channel
  readonly running: Map<AttemptToken, HeldAttempt>
  abilities: readonly string[]
  /** When its beat was last asked for. */
  askedAt: number
}

export class Roster {
  readonly #stationed = new Map<WorkerId, Stationed>()
  /** What all of them run. */
  readonly #held = new Map<AttemptToken, HeldAttempt>()
  readonly #tokensOf = new Map<JobId, readonly AttemptToken[]>()
  readonly #runningIn = new Map<RoomName, number>()

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
      capacity: capacityOf(record, channel, before?.capacity.taken ?? none),
      heldByLong: before?.heldByLong ?? 0,
      heldBySlow: before?.heldBySlow ?? 0,
      heldBy: before?.heldBy ?? new Map(),
      reserved: before?.reserved ?? 0,
      version,
      channel,
      running,
      abilities: abilitiesOf(record.serves),
      askedAt: now,
    }
    this.#stationed.set(record.worker.id, stationed)
    for (const attempt of running.values()) attempt.holder = stationed
    // After the new one is in place: what closing the old one sets off must not be taken for this worker's going away.
    if (before && before.channel !== channel) before.channel.close()
    return stationed
  }

  /** The record was committed anew; what the worker has taken is this roster's own knowledge. */
  update(id: WorkerId, record: WorkerRecord, version: number): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    stationed.record = record
    stationed.capacity = capacityOf(record, stationed.channel, stationed.capacity.taken)
    stationed.version = version
    stationed.abilities = abilitiesOf(record.serves)
  }

  leave(id: WorkerId): void {
    const stationed = this.#stationed.get(id)
    if (!stationed) return
    for (const attempt of stationed.running.values()) this.#forget(attempt)
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

  #hold(
    stationed: Stationed,
    { room, job, token, need, short, quick }: RunningAttempt,
    taken: boolean,
  ): void {
    const held = { holder: stationed, room, job, token, need, short, quick, taken, told: null }
    stationed.running.set(token, held)
    this.#held.set(token, held)
    this.#count(room, 1)
    const others = this.#tokensOf.get(job)
    this.#tokensOf.set(job, others ? [...others, token] : [token])
  }

  /** Idempotent: the worker's own report and what the store says of it later both end here. */
  end(token: AttemptToken): boolean {
    const attempt = this.#held.get(token)
    if (!attempt) return false
    this.#forget(attempt)
    attempt.holder.running.delete(token)
    if (attempt.taken) free(attempt.holder, attempt)
    return true
  }

  /** Tells a worker to stop an attempt it holds; the same order is given once. */
  stop(order: StopOrder): void {
    const attempt = this.#held.get(order.token)
    if (!attempt || attempt.told === order.how) return
    attempt.told = order.how
    attempt.holder.channel.stop([order])
  }

  /** More than one when a job came back to this replica before it was heard here that its last attempt is over. */
  tokensOf(job: JobId): readonly AttemptToken[] {
    return this.#tokensOf.get(job) ?? noTokens
  }

  /** Attempts at all of its workers. */
  runningIn(room: RoomName): number {
    return this.#runningIn.get(room) ?? 0
  }

  holderOf(token: AttemptToken): Stationed | undefined {
    return this.#held.get(token)?.holder
  }

  workersOf(user: UserName): readonly WorkerId[] {
    return [...this.#stationed.values()]
      .filter(({ record }) => record.worker.user === user)
      .map(({ record }) => record.worker.id)
  }

  #forget({ room, job, token }: RunningAttempt): void {
    this.#count(room, -1)
    this.#held.delete(token)
    const tokens = this.tokensOf(job)
    const left = tokens.length === 1 && tokens[0] === token ? noTokens : tokens.filter((one) => one !== token)
    if (left.length === 0) this.#tokensOf.delete(job)
    else this.#tokensOf.set(job, left)
  }

  #count(room: RoomName, by: number): void {
    const running = this.runningIn(room) + by
    if (running > 0) this.#runningIn.set(room, running)
    else this.#runningIn.delete(room)
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
function occupy(stationed: Stationed, hold: Hold): boolean {
  const capacity = take(stationed.capacity, hold.need)
  if (isRefusal(capacity)) return false
  stationed.capacity = capacity
  note(stationed, hold, hold.need.slots)
  return true
}

function free(stationed: Stationed, hold: Hold): void {
  const capacity = giveBack(stationed.capacity, hold.need)
  if (isRefusal(capacity)) return
  stationed.capacity = capacity
  note(stationed, hold, -hold.need.slots)
}

function note(stationed: Stationed, { room, short, quick }: Hold, slots: number): void {
  if (!short) stationed.heldByLong = Math.max(0, stationed.heldByLong + slots)
  if (!quick) stationed.heldBySlow = Math.max(0, stationed.heldBySlow + slots)
  const held = (stationed.heldBy.get(room) ?? 0) + slots
  if (held > 0) stationed.heldBy.set(room, held)
  else stationed.heldBy.delete(room)
}

/** Slots ahead are taken like others; that they are only for quick jobs is for those to say who hand them out. */
function capacityOf({ worker }: WorkerRecord, { ahead }: Channel, taken: Resources): Capacity {
  const { total, labels } = worker.capacity
  return { total: { ...total, slots: total.slots + ahead }, taken, labels }
}

/** What any job may have. */
export function freeOn({ capacity, channel }: Pick<Stationed, 'capacity' | 'channel'>): Resources {
  const left = freeOf(capacity)
  return { ...left, slots: Math.max(0, left.slots - channel.ahead) }
}

const noTokens: readonly AttemptToken[] = []
const none = { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 }

function supplyOf(stationed: Stationed, now: number): WorkerSupply {
  const { record, capacity, reserved, channel, abilities } = stationed
  const { worker } = record
  const left = freeOn(stationed)
  const ahead = aheadOf(stationed)
  return {
    id: worker.id,
    abilities,
    labels: capacity.labels,
    total: worker.capacity.total,
    free: { ...left, slots: Math.min(left.slots, Math.max(0, channel.ready() - reserved)) },
    health: healthOf(worker, now),
    draining: worker.draining,
    ...(ahead && { ahead }),
  }
}

/** Nobody is put in line behind a job that may take long. */
function aheadOf({ record, capacity, channel, heldBySlow, heldBy }: Stationed): Ahead | null {
  if (channel.ahead === 0 || heldBySlow > 0 || channel.ready() === 0) return null
  const { slots } = record.worker.capacity.total
  return { slots, free: freeOf(capacity).slots, perRoom: slots + Math.floor(channel.ahead / 2), held: heldBy }
}
