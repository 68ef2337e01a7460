// Hands committed events to the sockets that joined. Events of one kind that follow each other go as one batch; a batch
// covers every number since the batch before, so a client that sees no gap has missed nothing that lasts.

import { clientEvents } from '@millrace/protocol'
import type { Server } from 'socket.io'
import type { FeedBatch, FeedListener, FeedRelay } from '../feed/feed-relay.ts'
import { type Progress, ProgressTeller } from './progress-teller.ts'

type Told = Record<string, unknown> & { readonly type: string }

interface Group {
  readonly type: string
  readonly events: Record<string, unknown>[]
  readonly to: number
}

/** What a room hears, and the system feed; anything else in the log concerns what is behind the scenes. */
const heardByAll = new Set<string>([
  clientEvents.jobStateChanged.event,
  clientEvents.schemaInvalidated.event,
  clientEvents.lockChanged.event,
  clientEvents.roomChanged.event,
])

const valuesStart = `{"type":"${clientEvents.valuesChanged.event}"`
const auditStart = `{"type":"${clientEvents.auditAdded.event}"`

export function roomChannel(room: string): string {
  return `room:${room}`
}

export function jobChannel(room: string, job: string): string {
  return `job:${room}/${job}`
}

export function userChannel(user: string): string {
  return `user:${user}`
}

/** Those who manage a room: they hear what is added to its audit trail. */
export function auditChannel(room: string): string {
  return `audit:${room}`
}

/** Pools that were let in by this admin; they hear nothing that is meant for the admin. */
export function makerChannel(user: string): string {
  return `maker:${user}`
}

/** What belongs to no room: everybody hears of global extensions, only admins of workers, whose rooms may be private. */
export const systemChannel = 'system'
export const adminChannel = 'system:admin'

export class RoomFeed implements FeedListener {
  readonly #io: Server
  readonly #relay: FeedRelay
  readonly #progress: ProgressTeller
  /** The last number told on each channel. */
  readonly #told = new Map<string, number>()

  constructor(io: Server, relay: FeedRelay, sendBufferMaxBytes: number) {
    this.#io = io
    this.#relay = relay
    this.#progress = new ProgressTeller(io, roomChannel, sendBufferMaxBytes)
  }

  /** What a client that joins the channel now has to continue from. */
  position(partition: string, channel: string): { readonly epoch: string; readonly sequence: number | null } {
    const sequence = this.#told.get(channel) ?? this.#relay.sequenceOf(partition)
    if (sequence !== null) this.#told.set(channel, sequence)
    return { epoch: this.#relay.epoch, sequence }
  }

  onBatch({ partition, at, events }: FeedBatch): void {
    const channels = channelsOf(partition).filter((channel) => this.#isListened(channel))
    const progress: Progress[] = []
    const told = events
      .filter(({ event }) => channels.length > 0 || isPersonal(event))
      .map((event) => ({ ...event, told: JSON.parse(event.event) as Told }))
      .filter((event) => !this.#tellAside(partition, event.subject, event.told, progress))
    this.#progress.tell(partition, progress)
    this.#progress.settle(partition, () => told.flatMap(({ subject }) => subjectOf(subject)['id'] ?? []))
    for (const channel of channels) {
      const groups: Group[] = []
      for (const { sequence, subject, told: one } of told) {
        if (mayHear(channel, one.type))
          gather(groups, one.type, { sequence, at, ...subjectOf(subject), ...rest(one) }, sequence)
      }
      for (const group of groups) this.#tell(partition, channel, group)
    }
    for (const channel of channelsOf(partition)) if (!channels.includes(channel)) this.#told.delete(channel)
  }

  onReset(epoch: string): void {
    this.#told.clear()
    this.#io.emit(clientEvents.feedReset.event, { epoch })
  }

  #tell(partition: string, channel: string, { type, events, to }: Group): void {
    const first = events[0]?.['sequence'] as number
    const from = (this.#told.get(channel) ?? first - 1) + 1
    const room = partition === 'system' ? null : partition
    this.#io.to(channel).emit(type, { room, epoch: this.#relay.epoch, from, to, events })
    this.#told.set(channel, to)
  }

  /** Progress, log lines, and what concerns one user: outside the sequence. Progress is gathered up to the next line. */
  #tellAside(room: string, subject: string, told: Told, progress: Progress[]): boolean {
    const id = subject.slice(subject.indexOf('/') + 1)
    if (told.type === clientEvents.jobProgressed.event) {
      const { fraction, message } = told
      progress.push({ id, fraction, message })
      return true
    }
    if (told.type === clientEvents.jobLogged.event) {
      if (!this.#isListened(jobChannel(room, id))) return true
      this.#progress.tell(room, progress.splice(0))
      this.#io.to(jobChannel(room, id)).emit(told.type, { room, id, lines: told['lines'] })
      return true
    }
    if (told.type === clientEvents.auditAdded.event) {
      const { type, room: concerned, actor, action, outcome } = told
      const owners = typeof concerned === 'string' ? [auditChannel(concerned)] : []
      this.#io.to([...owners, adminChannel]).emit(type, { room: concerned, id, actor, action, outcome })
      return true
    }
    if (told.type === clientEvents.valuesChanged.event) {
      const { user, scope, category, name } = told
      this.#io.to(userChannel(String(user))).emit(told.type, { room, scope, category, name })
      return true
    }
    return false
  }

  #isListened(channel: string): boolean {
    return (this.#io.sockets.adapter.rooms.get(channel)?.size ?? 0) > 0
  }
}

function channelsOf(partition: string): readonly string[] {
  return partition === 'system' ? [systemChannel, adminChannel] : [roomChannel(partition)]
}

function mayHear(channel: string, type: string): boolean {
  return heardByAll.has(type) || (channel === adminChannel && type === clientEvents.workerStateChanged.event)
}

/** Told to some who may have joined nothing. */
function isPersonal(event: string): boolean {
  return event.startsWith(valuesStart) || event.startsWith(auditStart)
}

function gather(groups: Group[], type: string, event: Record<string, unknown>, sequence: number): void {
  const last = groups.at(-1)
  if (last?.type !== type) {
    groups.push({ type, events: [event], to: sequence })
    return
  }
  last.events.push(event)
  groups[groups.length - 1] = { ...last, to: sequence }
}

function subjectOf(subject: string): Record<string, string> {
  return subject.startsWith('job/') ? { id: subject.slice('job/'.length) } : {}
}

function rest({ type: _type, user: _user, ...told }: Told): Record<string, unknown> {
  return told
}
