// Hands committed events to the sockets that joined. Events of one kind that follow each other go as one batch; a batch
// covers every number since the batch before, so a client that sees no gap has missed nothing that lasts.

import { clientEvents } from '@millrace/protocol'
import type { Server } from 'socket.io'
import type { FeedBatch, FeedListener, FeedRelay } from '../feed/feed-relay.ts'
import type { FeedEvent } from '../ports/store.ts'
import { JsonText } from './json-text.ts'
import { type Progress, ProgressTeller } from './progress-teller.ts'

type Told = Record<string, unknown> & { readonly type: string }

/** Events of one kind that follow each other, as the JSON in which they are told. */
interface Group {
  readonly type: string
  readonly first: number
  readonly texts: string[]
  to: number
}

/** What a room hears, and the system feed; anything else in the log concerns what is behind the scenes. */
const heardByAll = new Set<string>([
  clientEvents.jobStateChanged.event,
  clientEvents.schemaInvalidated.event,
  clientEvents.lockChanged.event,
  clientEvents.roomChanged.event,
])

/** Nearly all events; they are told as they stand in the log, with their place before them. */
const jobChangedStart = `{"type":"${clientEvents.jobStateChanged.event}",`
const jobSubject = 'job/'
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
    const groups: Group[] = []
    const textOf = jobChangeTexts(at)
    for (const event of events) {
      if (channels.length === 0 && !isPersonal(event.event)) continue
      if (isJobChange(event))
        gather(groups, clientEvents.jobStateChanged.event, textOf(event), event.sequence)
      else this.#read(partition, event, at, progress, groups)
    }
    this.#progress.tell(partition, progress)
    this.#progress.settle(partition, () => events.filter(isJobChange).map(({ subject }) => idOf(subject)))
    for (const channel of channels) {
      for (const group of groups) if (mayHear(channel, group.type)) this.#tell(partition, channel, group)
    }
    for (const channel of channelsOf(partition)) if (!channels.includes(channel)) this.#told.delete(channel)
  }

  onReset(epoch: string): void {
    this.#told.clear()
    this.#io.emit(clientEvents.feedReset.event, { epoch })
  }

  #tell(partition: string, channel: string, { type, first, texts, to }: Group): void {
    const from = (this.#told.get(channel) ?? first - 1) + 1
    const room = JSON.stringify(partition === 'system' ? null : partition)
    const epoch = JSON.stringify(this.#relay.epoch)
    const batch = `{"room":${room},"epoch":${epoch},"from":${from},"to":${to},"events":[${texts.join(',')}]}`
    this.#io.to(channel).emit(type, new JsonText(batch))
    this.#told.set(channel, to)
  }

  /** What is not told aside goes with the others. */
  #read(
    partition: string,
    { sequence, subject, event }: FeedEvent,
    at: number,
    progress: Progress[],
    groups: Group[],
  ): void {
    const told = JSON.parse(event) as Told
    if (this.#tellAside(partition, subject, told, progress)) return
    const text = JSON.stringify({ sequence, at, ...subjectOf(subject), ...rest(told) })
    gather(groups, told.type, text, sequence)
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

function isJobChange({ subject, event }: FeedEvent): boolean {
  return event.startsWith(jobChangedStart) && subject.startsWith(jobSubject)
}

/** What events of one instant share is put together once. An id is letters, digits and dashes: we made it. */
function jobChangeTexts(at: number): (event: FeedEvent) => string {
  const place = `,"at":${at},"id":"`
  let last = ''
  let own = ''
  return ({ sequence, subject, event }) => {
    if (event !== last) own = `",${event.slice(jobChangedStart.length)}`
    last = event
    return `{"sequence":${sequence}${place}${idOf(subject)}${own}`
  }
}

function idOf(subject: string): string {
  return subject.slice(jobSubject.length)
}

function gather(groups: Group[], type: string, text: string, sequence: number): void {
  const last = groups.at(-1)
  if (last?.type === type) {
    last.texts.push(text)
    last.to = sequence
  } else groups.push({ type, first: sequence, texts: [text], to: sequence })
}

function subjectOf(subject: string): Record<string, string> {
  return subject.startsWith(jobSubject) ? { id: idOf(subject) } : {}
}

function rest({ type: _type, user: _user, ...told }: Told): Record<string, unknown> {
  return told
}
