// Somebody who follows a room over the socket of one server by the rules: joins, keeps the sequence, and fetches the
// list again after every gap, reset and reconnect. It writes down what it heard and what it ends up believing.

import { setTimeout as pause } from 'node:timers/promises'
import type { JobStateChanged, JobsPage, LockView } from '@millrace/protocol'
import { io, type Socket } from 'socket.io-client'
import type { ApiClient } from '../../server/api-client.ts'

export interface HeardEvent {
  readonly sequence: number
  readonly job: string
  readonly status: string
}

/** What became of a lock. Every change of one is told, so two that follow each other in a session have none between. */
export interface HeardLock {
  readonly sequence: number
  readonly target: string
  readonly fence: number
  readonly holder: { readonly acquiredAt: number; readonly expiresAt: number } | null
}

/** From joining until the connection broke or the server said that it had lost its place. */
export interface ReaderSession {
  readonly reader: string
  readonly room: string
  readonly epoch: string
  /** The last number told before; null when the server knew of none. */
  readonly after: number | null
  readonly batches: { readonly from: number; readonly to: number; readonly events: readonly HeardEvent[] }[]
  readonly locks: HeardLock[]
}

interface Joined {
  readonly ok: boolean
  readonly epoch?: string
  readonly sequence?: number | null
}

type Batch = Omit<JobStateChanged, 'events' | 'room'> & {
  readonly room: string | null
  readonly events: readonly unknown[]
}

/** A server that was stopped accepts connections and answers nothing. */
const answerMs = 5_000
const againMs = 200

export class RoomReader {
  readonly name: string
  readonly room: string
  readonly sessions: ReaderSession[] = []
  /** What it believes about each job. */
  readonly view: Map<string, string> = new Map()
  readonly #client: ApiClient
  readonly #following: Promise<void>
  #socket: Socket | null = null
  #session: ReaderSession | null = null
  #isClosed = false

  constructor(name: string, room: string, client: ApiClient) {
    this.name = name
    this.room = room
    this.#client = client
    this.#following = this.#follow()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#socket?.close()
    await this.#following
  }

  /** One connection after the other, each for as long as it lasts. */
  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      await new Promise<void>((over) => this.#connect(over))
      this.#session = null
      await pause(againMs)
    }
  }

  #connect(over: () => void): void {
    const { url, token } = this.#client
    const options = { transports: ['websocket'], forceNew: true, reconnection: false, timeout: answerMs }
    const socket = io(url, { ...options, auth: { token } })
    this.#socket = socket
    const end = (): void => {
      socket.close()
      over()
    }
    socket.on('connect', () => this.#join(socket, end))
    socket.on('connect_error', end)
    socket.on('disconnect', end)
    socket.on('feed:reset', () => this.#join(socket, end))
    // Other events of the room share its sequence: a reader that left them out would see gaps.
    socket.onAny((event: string, payload: Batch) => this.#hear(event, payload))
  }

  #join(socket: Socket, giveUp: () => void): void {
    this.#session = null
    // The answer is taken at once, not in a later turn: a batch may follow in the same packet of the network.
    socket.timeout(answerMs).emit('room:join', { room: this.room }, (lost: unknown, answer: Joined) => {
      if (lost || !answer.ok) {
        giveUp()
        return
      }
      const { epoch = '', sequence = null } = answer
      const { name: reader, room } = this
      this.#session = { reader, room, epoch, after: sequence, batches: [], locks: [] }
      this.sessions.push(this.#session)
      void this.#fetch(this.#session)
    })
  }

  #hear(event: string, payload: Batch): void {
    const session = this.#session
    if (!session || payload.room !== this.room || !('from' in payload)) return
    const events = event === 'job:state_changed' ? payload.events.map(jobHeard) : []
    if (event === 'lock:changed') session.locks.push(...payload.events.map(lockHeard))
    const before = session.batches.at(-1)?.to ?? session.after
    session.batches.push({ from: payload.from, to: payload.to, events })
    for (const { job, status } of events) this.view.set(job, status)
    if (before !== null && payload.from !== before + 1) void this.#fetch(session)
  }

  /** All pages, over what is known; events that come meanwhile are newer than the position that was joined at. */
  async #fetch(session: ReaderSession): Promise<void> {
    let cursor: string | undefined = ''
    while (cursor !== undefined && session === this.#session) {
      const page: JobsPage | null = await this.#page(cursor)
      if (page) {
        for (const { id, status } of page.jobs) this.#learn(id, status)
        cursor = page.cursor
      } else await pause(againMs)
    }
  }

  async #page(cursor: string): Promise<JobsPage | null> {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/api/rooms/${this.room}/jobs?limit=500&order=oldest${more}`
    try {
      const signal = AbortSignal.timeout(answerMs)
      const { status, body } = await this.#client.call<JobsPage>('GET', path, undefined, signal)
      return status === 200 ? body : null
    } catch {
      return null
    }
  }

  /** A page may be older than an event heard since; what has ended stays so. */
  #learn(job: string, status: string): void {
    const known = this.view.get(job)
    if (known === undefined || !isEnd(known)) this.view.set(job, status)
  }
}

export function isEnd(status: string): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status)
}

function jobHeard(event: unknown): HeardEvent {
  const { sequence, id, status } = event as JobStateChanged['events'][number]
  return { sequence, job: id, status }
}

function lockHeard(event: unknown): HeardLock {
  const { sequence, target, fence, holder } = event as LockView & { readonly sequence: number }
  if (holder === null) return { sequence, target, fence, holder }
  const { acquiredAt, expiresAt } = holder
  return { sequence, target, fence, holder: { acquiredAt, expiresAt } }
}
