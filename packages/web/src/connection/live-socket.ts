// The connection on which the server tells what happens. It joins what pages watch, joins again after every loss, and says
// to its sink when something was missed. Nothing is ever polled.

import {
  type AnswerOf,
  clientEvents,
  type PayloadOf,
  type Problem,
  serverEvents,
  type ToClientEvent,
} from '@millrace/protocol'
import { io, type Socket } from 'socket.io-client'
import { type FeedPlace, follow, type Joined, rejoin, type Span } from './feed-place.ts'
import { createSignal, type Signal } from './signal.ts'

export type JobEvents = PayloadOf<typeof clientEvents.jobStateChanged>['events']

export interface LiveSink {
  jobs(room: string, events: JobEvents): void
  progress(told: PayloadOf<typeof clientEvents.jobProgressed>): void
  log(told: PayloadOf<typeof clientEvents.jobLogged>): void
  presence(told: PayloadOf<typeof clientEvents.presenceChanged>): void
  /** What has to be fetched again; null is what belongs to no room. */
  changed(what: 'extensions' | 'workers' | 'locks' | 'room' | 'values' | 'audit', room: string | null): void
  /** Rooms that one may see were made or changed. */
  roomsChanged(): void
  /** Anything about the room may have changed: settles when it has been fetched. */
  missed(room: string | null): Promise<void>
  refused(problem: Problem): void
}

export interface LiveState {
  readonly word: 'live' | 'catching up' | 'offline'
  readonly since: number
}

type Batch = Span & { readonly room: string | null }
type JoinAnswer = AnswerOf<typeof serverEvents.roomJoin>

const answerMs = 10_000
/** Before a join is tried again that was not answered: doubled each time, up to the most. */
const restMs = { first: 500, most: 4_000 }
/** Pages that follow each other watch the same room: it is not left and joined in between. */
const lingerMs = 3_000

/** The key under which what belongs to no room is watched. */
const system = ''

export class LiveSocket {
  readonly state: Signal<LiveState>
  readonly #socket: Socket
  readonly #sink: LiveSink
  readonly #watched = new Map<string, number>()
  readonly #jobs = new Map<string, string>()
  readonly #places = new Map<string, FeedPlace>()
  #catchingUp = 0

  constructor(token: string, sink: LiveSink) {
    this.#sink = sink
    this.state = createSignal<LiveState>({ word: 'catching up', since: Date.now() })
    this.#socket = io({
      auth: { token },
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      reconnectionDelay: 250,
      reconnectionDelayMax: 3_000,
    })
    this.#listen()
    this.watch(null)
  }

  /** Until the returned function is called. A job's log lines come only while it is watched. */
  watch(room: string | null, job?: string): () => void {
    const key = room ?? system
    if (job !== undefined) this.#jobs.set(key, job)
    const count = this.#watched.get(key) ?? 0
    this.#watched.set(key, count + 1)
    if (count === 0 || job !== undefined) this.#join(key)
    let released = false
    return () => {
      if (released) return
      released = true
      if (this.#jobs.get(key) === job) this.#jobs.delete(key)
      setTimeout(() => this.#release(key), lingerMs)
    }
  }

  close(): void {
    this.#socket.removeAllListeners()
    this.#socket.disconnect()
  }

  #release(key: string): void {
    const count = (this.#watched.get(key) ?? 1) - 1
    if (count > 0) return void this.#watched.set(key, count)
    this.#watched.delete(key)
    this.#places.delete(key)
    if (this.#socket.connected)
      this.#socket.emit(serverEvents.roomLeave.event, { room: key }, () => undefined)
  }

  #listen(): void {
    const socket = this.#socket
    let wasLost = false
    socket.on('connect', () => {
      for (const key of this.#watched.keys()) this.#join(key)
      // They stand outside of every sequence: nobody can tell whether something was missed.
      if (wasLost) this.#sink.roomsChanged()
      this.#say()
    })
    socket.on('disconnect', (reason) => {
      wasLost = true
      this.#say()
      // It comes back from a broken connection by itself, but not when the server has shown it the door.
      if (!socket.active && reason !== 'io client disconnect') setTimeout(() => socket.connect(), 500)
    })
    socket.on('connect_error', (error: Error & { data?: Problem }) => {
      this.#say()
      if (error.data && error.data.status < 500) this.#sink.refused(error.data)
    })
    socket.on(clientEvents.feedReset.event, () => {
      for (const key of this.#watched.keys()) this.#join(key)
      this.#sink.roomsChanged()
    })
    this.#on(clientEvents.jobStateChanged, (room, { events }) => {
      if (room !== null) this.#sink.jobs(room, events)
    })
    this.#on(clientEvents.schemaInvalidated, (room) => this.#sink.changed('extensions', room))
    this.#on(clientEvents.workerStateChanged, (room) => this.#sink.changed('workers', room))
    this.#on(clientEvents.lockChanged, (room) => this.#sink.changed('locks', room))
    this.#on(clientEvents.roomChanged, (room) => this.#sink.changed('room', room))
    socket.on(clientEvents.jobProgressed.event, (told) => this.#sink.progress(told))
    socket.on(clientEvents.jobLogged.event, (told) => this.#sink.log(told))
    socket.on(clientEvents.presenceChanged.event, (told) => this.#sink.presence(told))
    socket.on(clientEvents.roomsChanged.event, () => this.#sink.roomsChanged())
    socket.on(clientEvents.auditAdded.event, () => this.#sink.changed('audit', null))
    socket.on(clientEvents.valuesChanged.event, ({ room }) => this.#sink.changed('values', room))
  }

  #on<E extends ToClientEvent>(
    { event }: E,
    heard: (room: string | null, payload: PayloadOf<E>) => void,
  ): void {
    this.#socket.on(event, (batch: Batch) => {
      const key = batch.room ?? system
      const place = this.#places.get(key)
      // Told between the join and its answer: the answer makes everything be fetched anyway.
      if (!place) return
      const { verdict, place: next } = follow(place, batch)
      this.#places.set(key, next)
      if (verdict === 'known') return
      heard(batch.room, batch as PayloadOf<E>)
      if (verdict === 'gap') void this.#catchUp(this.#sink.missed(batch.room))
    })
  }

  #join(key: string): void {
    void this.#catchUp(this.#joinUntilAnswered(key).catch(() => undefined))
  }

  /** On this connection: the next one joins anew. */
  async #joinUntilAnswered(key: string): Promise<void> {
    const { id } = this.#socket
    for (let ms = restMs.first; id && this.#socket.id === id && this.#watched.has(key); ms *= 2) {
      const answer = await this.#ask(key).catch(() => null)
      if (answer?.ok) return this.#joined(key, answer, ms > restMs.first)
      if (answer && answer.problem.status < 500 && answer.problem.status !== 429) return
      await new Promise((rested) => setTimeout(rested, Math.min(ms, restMs.most)))
    }
  }

  #ask(key: string): Promise<JoinAnswer> {
    const job = this.#jobs.get(key)
    const isSystem = key === system
    const event = isSystem ? serverEvents.systemJoin.event : serverEvents.roomJoin.event
    const payload = isSystem ? {} : { room: key, ...(job !== undefined && { job }) }
    return this.#socket.timeout(answerMs).emitWithAck(event, payload)
  }

  /** Lines stand outside of the numbers: what came while a join was tried again is fetched in any case. */
  async #joined(key: string, answer: Joined, isLate: boolean): Promise<void> {
    const { missed, ...place } = rejoin(this.#places.get(key) ?? null, answer)
    this.#places.set(key, place)
    if (missed || isLate) await this.#sink.missed(key === system ? null : key)
  }

  async #catchUp(work: Promise<unknown>): Promise<void> {
    this.#catchingUp += 1
    this.#say()
    await work
    this.#catchingUp -= 1
    this.#say()
  }

  #say(): void {
    const word = this.#socket.connected ? (this.#catchingUp > 0 ? 'catching up' : 'live') : 'offline'
    if (word !== this.state.get().word) this.state.set({ word, since: Date.now() })
  }
}
