// Somebody who follows a room over the socket of one server by the rules: joins, keeps the sequence, and fetches the
// list again after every gap, reset and reconnect. It writes down what it heard and what it ends up believing.

import { setTimeout as pause } from 'node:timers/promises'
import type { JobStateChanged, JobsPage } from '@millrace/protocol'
import { io, type Socket } from 'socket.io-client'
import type { ApiClient } from '../../server/api-client.ts'

export interface HeardEvent {
  readonly sequence: number
  readonly job: string
  readonly status: string
}

/** From joining until the connection broke or the server said that it had lost its place. */
export interface ReaderSession {
  readonly reader: string
  readonly room: string
  readonly epoch: string
  /** The last number told before; null when the server knew of none. */
  readonly after: number | null
  readonly batches: { readonly from: number; readonly to: number; readonly events: readonly HeardEvent[] }[]
}

type Batch = JobStateChanged & { readonly room: string | null }

const joinMs = 5_000
const fetchMs = 5_000
const againMs = 200

export class RoomReader {
  readonly sessions: ReaderSession[] = []
  readonly #name: string
  readonly #room: string
  readonly #client: ApiClient
  readonly #socket: Socket
  readonly #view = new Map<string, string>()
  #session: ReaderSession | null = null
  #isClosed = false

  constructor(name: string, room: string, client: ApiClient) {
    this.#name = name
    this.#room = room
    this.#client = client
    this.#socket = io(client.url, {
      auth: { token: client.token },
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 200,
      reconnectionDelayMax: 1_000,
    })
    this.#socket.on('connect', () => this.#join())
    this.#socket.on('disconnect', () => {
      this.#session = null
    })
    this.#socket.on('feed:reset', () => this.#join())
    // Other events of the room share its sequence: a reader that left them out would see gaps.
    this.#socket.onAny((event: string, payload: unknown) => this.#hear(event, payload as Batch))
  }

  get name(): string {
    return this.#name
  }

  get room(): string {
    return this.#room
  }

  /** What it believes about each job. */
  get view(): ReadonlyMap<string, string> {
    return this.#view
  }

  get isFollowing(): boolean {
    return this.#session !== null && this.#socket.connected
  }

  close(): void {
    this.#isClosed = true
    this.#socket.close()
  }

  #join(): void {
    this.#session = null
    // The answer is taken at once, not in a later turn: a batch may follow in the same packet of the network.
    this.#socket.timeout(joinMs).emit('room:join', { room: this.#room }, (lost: unknown, answer: Joined) => {
      if (this.#isClosed) return
      if (lost || !answer.ok) {
        // Half open, or refused while the store is away: a new connection begins anew.
        setTimeout(() => !this.#isClosed && this.#socket.disconnect().connect(), againMs)
        return
      }
      this.#begin(answer)
      void this.#fetch()
    })
  }

  #begin({ epoch = '', sequence = null }: Joined): void {
    this.#session = { reader: this.#name, room: this.#room, epoch, after: sequence, batches: [] }
    this.sessions.push(this.#session)
  }

  #hear(event: string, payload: Batch): void {
    const session = this.#session
    if (!session || payload.room !== this.#room || !('from' in payload)) return
    const events =
      event === 'job:state_changed'
        ? payload.events.map(({ sequence, id, status }) => ({ sequence, job: id, status }))
        : []
    session.batches.push({ from: payload.from, to: payload.to, events })
    for (const { job, status } of events) this.#view.set(job, status)
    const before = session.batches.at(-2)?.to ?? session.after
    if (before !== null && payload.from !== before + 1) void this.#fetch()
  }

  /** All pages, over what is known; events that come meanwhile are newer than the position that was joined at. */
  async #fetch(): Promise<void> {
    let cursor: string | undefined = ''
    while (cursor !== undefined && !this.#isClosed) {
      const page: JobsPage | null = await this.#page(cursor)
      if (page) {
        for (const { id, status } of page.jobs) this.#learn(id, status)
        cursor = page.cursor
      } else await pause(againMs)
    }
  }

  async #page(cursor: string): Promise<JobsPage | null> {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/api/rooms/${this.#room}/jobs?limit=500&order=oldest${more}`
    try {
      const signal = AbortSignal.timeout(fetchMs)
      const { status, body } = await this.#client.call<JobsPage>('GET', path, undefined, signal)
      return status === 200 ? body : null
    } catch {
      return null
    }
  }

  /** A page may be older than an event heard since; what has ended stays so. */
  #learn(job: string, status: string): void {
    const known = this.#view.get(job)
    if (known === undefined || !isEnd(known)) this.#view.set(job, status)
  }
}

interface Joined {
  readonly ok: boolean
  readonly epoch?: string
  readonly sequence?: number | null
  readonly problem?: { readonly code: string }
}

export function isEnd(status: string): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status)
}
