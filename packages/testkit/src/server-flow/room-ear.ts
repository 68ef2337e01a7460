// Somebody who joined a room and writes down everything they hear.

import type { JobStateChanged } from '@millrace/protocol'
import type { Socket } from 'socket.io-client'
import { type CheckedClient, tell } from './checked-client.ts'
import { Inbox } from './inbox.ts'
import { checkEvent } from './wire-check.ts'

export interface Heard {
  readonly event: string
  readonly payload: Record<string, unknown>
}

export type StateEvent = JobStateChanged['events'][number]

/** The part of a payload that belongs to the room's sequence. */
export interface Batch {
  readonly room: string | null
  readonly epoch: string
  readonly from: number
  readonly to: number
  readonly events: readonly (Record<string, unknown> & { readonly sequence: number })[]
}

interface Joined {
  readonly epoch: string
  readonly sequence: number | null
}

export class RoomEar {
  readonly socket: Socket
  readonly heard: Inbox<Heard> = new Inbox()
  readonly states: Inbox<StateEvent> = new Inbox()
  joined: Joined = { epoch: '', sequence: null }

  private constructor(socket: Socket) {
    this.socket = socket
    socket.onAny((event: string, payload: Record<string, unknown>) => {
      checkEvent(event, payload)
      this.heard.push({ event, payload })
      if (event !== 'job:state_changed') return
      for (const one of (payload as unknown as JobStateChanged).events) this.states.push(one)
    })
  }

  /** Connected, and in no room yet. */
  static async open(client: CheckedClient): Promise<RoomEar> {
    return new RoomEar(await client.socket())
  }

  static async join(client: CheckedClient, room: string, job?: string): Promise<RoomEar> {
    const ear = await RoomEar.open(client)
    await ear.join(room, job)
    return ear
  }

  async join(room: string, job?: string): Promise<void> {
    const answer = await tell<{ ok: boolean } & Joined>(this.socket, 'room:join', {
      room,
      ...(job !== undefined && { job }),
    })
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    this.joined = answer
  }

  /** Resolves when the job was heard to reach this status. */
  async reached(job: string, status: StateEvent['status']): Promise<void> {
    await this.states.until((all) => all.some((one) => one.id === job && one.status === status))
  }

  /** The statuses a job went through, as they were told. */
  pathOf(job: string): readonly string[] {
    return this.states.all.filter(({ id }) => id === job).map(({ status }) => status)
  }

  batches(room: string): readonly Batch[] {
    return this.heard.all
      .map(({ payload }) => payload as unknown as Batch)
      .filter((payload) => payload.room === room && 'from' in payload)
  }

  /** Resolves when the server has let go of this socket. */
  cut(): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.disconnected) resolve()
      else this.socket.once('disconnect', () => resolve())
    })
  }
}
