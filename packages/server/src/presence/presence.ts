// Who is in which room now. What this replica's own sockets say is memory; where there are several replicas, each tells
// the others in a record that it has to renew, so whoever was at a replica that died is gone within a minute.

import type { FeedBatch, FeedListener } from '../feed/feed-relay.ts'
import { newId } from '../new-id.ts'
import type { Store } from '../ports/store.ts'
import {
  announcePresence,
  isPresence,
  type PeopleByRoom,
  presenceKey,
  presenceList,
  presenceOfRecord,
  putPresence,
  roomsTold,
} from './presence-record.ts'

export interface PresenceParts {
  readonly store: Store
  readonly onFault: (fault: unknown) => void
}

export interface RoomPresence {
  readonly room: string
  readonly people: readonly { readonly user: string; readonly sessions: number }[]
  readonly count: number
}

const peopleNamed = 100
/** Whoever comes and goes within it is told of together. */
const gatherMs = 100
/** A room of thousands takes long to tell, so it is told less often. */
const gatherMsPerSession = 2
const lastsMs = 60_000
const renewAfterMs = 20_000
const replicasAtMost = 200

export class Presence implements FeedListener {
  readonly #parts: PresenceParts
  readonly #replica: string
  readonly #here = new Map<string, Map<string, number>>()
  readonly #changed = new Set<string>()
  readonly #toldAt = new Map<string, number>()
  #isShared = false
  #writtenAt = 0
  #writing: Promise<void> = Promise.resolve()
  #tell: (presence: RoomPresence) => void = () => undefined

  constructor(parts: PresenceParts) {
    this.#parts = parts
    this.#replica = newId(parts.store.now())
  }

  /** From now on other replicas may be there, and are told. */
  share(): void {
    this.#isShared = true
  }

  /** How those in a room are told; sockets are opened after this is made. */
  tellWith(tell: (presence: RoomPresence) => void): void {
    this.#tell = tell
  }

  /** One more session of this user is in the room. */
  enter(room: string, user: string): void {
    const people = this.#here.get(room) ?? new Map<string, number>()
    people.set(user, (people.get(user) ?? 0) + 1)
    this.#here.set(room, people)
    this.#noteChange(room)
  }

  leave(room: string, user: string): void {
    const people = this.#here.get(room)
    const sessions = people?.get(user)
    if (!people || sessions === undefined) return
    if (sessions > 1) people.set(user, sessions - 1)
    else people.delete(user)
    if (people.size === 0) this.#here.delete(room)
    this.#noteChange(room)
  }

  async in(room: string): Promise<RoomPresence> {
    const sum = new Map(this.#here.get(room))
    for (const people of await this.#elsewhere(room))
      for (const [user, sessions] of people) sum.set(user, (sum.get(user) ?? 0) + sessions)
    const people = [...sum]
      .map(([user, sessions]) => ({ user, sessions }))
      .sort((a, b) => (a.user < b.user ? -1 : 1))
    return { room, people: people.slice(0, peopleNamed), count: people.length }
  }

  onBatch({ partition, events }: FeedBatch): void {
    if (partition !== 'system') return
    for (const { subject, event } of events) {
      if (isPresence(subject)) this.#tellRooms(roomsTold(event))
    }
  }

  onReset(): void {
    this.#tellRooms([...this.#here.keys()])
  }

  /** Called now and then: what is not renewed ends. */
  renew(now: number): void {
    if (this.#isShared && this.#here.size > 0 && now - this.#writtenAt > renewAfterMs) this.#write([])
  }

  /** Whoever was here is not here any more. */
  async stop(): Promise<void> {
    const rooms = [...new Set([...this.#here.keys(), ...this.#changed])]
    this.#here.clear()
    this.#changed.clear()
    if (this.#isShared && this.#writtenAt > 0) this.#write(rooms)
    await this.#writing
  }

  #noteChange(room: string): void {
    const isGathering = this.#changed.size > 0
    this.#changed.add(room)
    if (!isGathering) this.#gather()
  }

  #gather(): void {
    setTimeout(() => {
      const rooms = [...this.#changed].filter((room) => this.#isDue(room))
      for (const room of rooms) this.#changed.delete(room)
      if (this.#changed.size > 0) this.#gather()
      if (rooms.length === 0) return
      // Those elsewhere hear of it by the log, and so do those here.
      if (this.#isShared) this.#write(rooms)
      else this.#tellRooms(rooms)
    }, gatherMs).unref()
  }

  #isDue(room: string): boolean {
    const now = performance.now()
    const people = this.#here.get(room)
    if (!people) {
      this.#toldAt.delete(room)
      return true
    }
    const sessions = [...people.values()].reduce((sum, count) => sum + count, 0)
    if (now < (this.#toldAt.get(room) ?? 0) + gatherMsPerSession * sessions) return false
    this.#toldAt.set(room, now)
    return true
  }

  /** One after the other, so that none overtakes a later one. */
  #write(changed: readonly string[]): void {
    this.#writing = this.#writing.then(() => this.#commit(changed)).catch(this.#parts.onFault)
  }

  async #commit(changed: readonly string[]): Promise<void> {
    const { store } = this.#parts
    const now = store.now()
    this.#writtenAt = now
    const rooms: PeopleByRoom = this.#here
    await store.commit({
      id: newId(now),
      partition: 'system',
      ...(rooms.size > 0
        ? { put: [putPresence(this.#replica, { until: now + lastsMs, rooms })] }
        : { remove: [presenceKey(this.#replica)] }),
      announce: changed.length > 0 ? [announcePresence(this.#replica, changed)] : [],
    })
  }

  async #elsewhere(room: string): Promise<readonly ReadonlyMap<string, number>[]> {
    if (!this.#isShared) return []
    const { store } = this.#parts
    const records = await store.list({
      partition: 'system',
      lists: [presenceList],
      order: 'newest',
      limit: replicasAtMost,
    })
    const now = store.now()
    return records
      .filter(({ key }) => key !== presenceKey(this.#replica))
      .map(presenceOfRecord)
      .flatMap(({ until, rooms }) => {
        const people = until > now ? rooms.get(room) : undefined
        return people ? [people] : []
      })
  }

  #tellRooms(rooms: readonly string[]): void {
    for (const room of rooms) {
      if (this.#here.has(room)) this.in(room).then(this.#tell, this.#parts.onFault)
    }
  }
}
