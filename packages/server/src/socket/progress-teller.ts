// Tells a room how far its jobs are. Whoever keeps up hears all of it, in its place among lines and states. For whoever is
// behind the latest of each job is held: told before the next state of the job, or when they have caught up.

import { clientEvents } from '@millrace/protocol'
import type { Server } from 'socket.io'
import { type Line, waitingBytes } from './slow-readers.ts'

export interface Progress {
  readonly id: string
  readonly fraction: unknown
  readonly message: unknown
}

/** The latest of each job, by socket. */
type Held = Map<string, Map<string, Progress>>

/** More than this is waiting only for those who read slower than they are told, or for a moment after a large event. */
const behindBytes = 64_000
/** Progress alone must never bring anybody near to where they are cut. */
const shareOfMost = 0.25
const lookEveryMs = 100

export class ProgressTeller {
  readonly #io: Server
  readonly #channelOf: (room: string) => string
  readonly #behindBytes: number
  readonly #held = new Map<string, Held>()
  #timer: NodeJS.Timeout | null = null

  constructor(io: Server, channelOf: (room: string) => string, sendBufferMaxBytes: number) {
    this.#io = io
    this.#channelOf = channelOf
    this.#behindBytes = Math.min(behindBytes, sendBufferMaxBytes * shareOfMost)
  }

  tell(room: string, jobs: readonly Progress[]): void {
    if (jobs.length === 0) return
    const held = this.#held.get(room)
    const behind = [...this.#members(room)].filter((socket) => held?.has(socket) || this.#isBehind(socket))
    this.#io.to(this.#channelOf(room)).except(behind).emit(clientEvents.jobProgressed.event, { room, jobs })
    for (const socket of behind) this.#hold(room, socket, jobs)
  }

  /** Before states of these jobs are told. They are only named where somebody is behind, which hardly ever is so. */
  settle(room: string, jobsOf: () => readonly string[]): void {
    const ofRoom = this.#held.get(room)
    if (!ofRoom) return
    const jobs = jobsOf()
    for (const [socket, held] of ofRoom) {
      const latest = jobs.flatMap((id) => held.get(id) ?? [])
      for (const { id } of latest) held.delete(id)
      this.#tellOne(room, socket, latest)
    }
  }

  #hold(room: string, socket: string, jobs: readonly Progress[]): void {
    const ofRoom = this.#held.get(room) ?? new Map<string, Map<string, Progress>>()
    const latest = ofRoom.get(socket) ?? new Map<string, Progress>()
    for (const job of jobs) latest.set(job.id, job)
    this.#held.set(room, ofRoom.set(socket, latest))
    this.#timer ??= setTimeout(() => this.#look(), lookEveryMs).unref()
  }

  #look(): void {
    for (const [room, held] of this.#held) {
      for (const [socket, latest] of held) {
        if (this.#isBehind(socket) && this.#members(room).has(socket)) continue
        held.delete(socket)
        this.#tellOne(room, socket, [...latest.values()])
      }
      if (held.size === 0) this.#held.delete(room)
    }
    this.#timer = this.#held.size === 0 ? null : setTimeout(() => this.#look(), lookEveryMs).unref()
  }

  /** One that has left the room meanwhile hears no more of it. */
  #tellOne(room: string, socket: string, jobs: readonly Progress[]): void {
    if (jobs.length === 0 || !this.#members(room).has(socket)) return
    this.#io.to(socket).emit(clientEvents.jobProgressed.event, { room, jobs })
  }

  #members(room: string): ReadonlySet<string> {
    return this.#io.sockets.adapter.rooms.get(this.#channelOf(room)) ?? nobody
  }

  #isBehind(socket: string): boolean {
    const line = this.#io.sockets.sockets.get(socket)?.conn as unknown as Line | undefined
    return line !== undefined && waitingBytes(line, this.#behindBytes) > this.#behindBytes
  }
}

const nobody: ReadonlySet<string> = new Set()
