// The socket side of a server: who may open one, how many there may be, and that a credential that ends takes its sockets
// with it.

import type { Server as HttpServer } from 'node:http'
import type { Identity, Refusal } from '@millrace/domain'
import { clientEvents } from '@millrace/protocol'
import { Server, type Socket } from 'socket.io'
import type { FeedListener, FeedRelay } from '../feed/feed-relay.ts'
import { Looks } from '../feed/looks.ts'
import { problemOf, refusedHere } from '../refusal/problem-of.ts'
import { openRoom, readersOf } from '../room/rooms.ts'
import { visibleStanding } from '../room/visible-standing.ts'
import type { ServerParts } from '../server-parts.ts'
import { withdrawBarred } from '../worker/withdraw-barred.ts'
import { ConnectionCounts, type ConnectionLimits } from './connection-counts.ts'
import { emitInSlices } from './emit-in-slices.ts'
import type { EventDoor } from './event-handler.ts'
import { FeedQueue } from './feed-queue.ts'
import { guardDecoder, guardPayloads } from './guarded-decoder.ts'
import { holdToRate } from './hold-to-rate.ts'
import { holdToShape } from './hold-to-shape.ts'
import { encodeTexts } from './json-text.ts'
import { lockEvents } from './lock.events.ts'
import { Manners } from './manners.ts'
import { reportEvents } from './report.events.ts'
import { roomEvents, standingsOf } from './room.events.ts'
import { adminChannel, makerChannel, RoomFeed, roomChannel, systemChannel, userChannel } from './room-feed.ts'
import { SlowReaders } from './slow-readers.ts'
import { guardSockets, type SocketDoor } from './socket-door.ts'
import { submitEvents } from './submit.events.ts'
import { admitInTurn, endInTurn, endTalkers, openInTurn, readInTurn, UserTurns } from './take-turns.ts'
import { workerEvents } from './worker.events.ts'

export interface SocketOptions extends ConnectionLimits, SocketDoor {
  readonly messageMaxBytes: number
  readonly sendBufferMaxBytes: number
  /** How long a connection may be there without a credential. */
  readonly handshakeMs: number
  readonly corsOrigins: readonly string[]
  readonly pause: (ms: number) => Promise<void>
  readonly onFault: (fault: unknown, where: string) => void
  readonly warn: (message: string) => void
  readonly debug?: (message: string) => void
}

export interface Sockets {
  readonly feed: FeedListener
  count(): number
  /** Cuts sockets whose token has expired since. */
  cutExpired(now: number): void
  close(): Promise<void>
}

export function openSockets(
  http: HttpServer,
  parts: ServerParts,
  relay: FeedRelay,
  options: SocketOptions,
): Sockets {
  const io = new Server(http, {
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: options.messageMaxBytes,
    // The worker's own beats decide about leases; these only find dead connections.
    pingInterval: 25_000,
    pingTimeout: 20_000,
    connectTimeout: options.handshakeMs,
    ...(options.corsOrigins.length > 0 && { cors: { origin: [...options.corsOrigins] } }),
  })
  openInTurn(http)
  readInTurn(io)
  endInTurn(io)
  endTalkers(io)
  admitInTurn(io)
  encodeTexts(io)
  guardDecoder(io)
  guardPayloads(io)
  const turns = new UserTurns()
  const manners = new Manners(() => parts.store.now(), options.pause)
  const counts = new ConnectionCounts(options, options.warn)
  guardSockets(io, options, counts)
  const slowReaders = new SlowReaders(io, options.sendBufferMaxBytes, options.warn)
  const door: EventDoor = { identify: (socket) => verify(parts, socket), onFault: options.onFault }
  const feed = new FeedQueue(new RoomFeed(io, relay, options.sendBufferMaxBytes))
  const adders = [
    workerEvents(parts, door),
    reportEvents(parts, door),
    roomEvents(parts, door, feed),
    lockEvents(parts, door),
    submitEvents(parts, door),
  ]
  parts.presence.tellWith((presence) => {
    emitInSlices(io, roomChannel(presence.room), clientEvents.presenceChanged.event, presence)
  })
  io.use((socket, next) => void admit(parts, counts, manners, socket).then(next, next))
  io.on('connection', (socket) => {
    forgetRequest(socket)
    const { user, maker } = identityOf(socket)
    options.debug?.(`socket ${socket.id} of ${user} opened`)
    socket.once('disconnect', (reason) => options.debug?.(`socket ${socket.id} of ${user} ended: ${reason}`))
    void socket.join(maker === undefined ? [userChannel(user)] : [userChannel(user), makerChannel(maker)])
    socket.once('disconnect', (reason) => manners.ended(user, reason))
    const cut = (): void => {
      manners.broken(user)
      socket.disconnect(true)
    }
    turns.hear(socket, user)
    holdToShape(socket, cut)
    holdToRate(socket, parts.edge.messages, () => parts.store.now(), cut)
    for (const add of adders) add(socket)
  })
  return {
    feed: new Watch(io, parts, feed, options.onFault),
    count: () => counts.all,
    cutExpired: (now) => {
      for (const socket of io.sockets.sockets.values())
        if (identityOf(socket).expiresAt <= now) socket.disconnect(true)
    },
    close: async () => {
      slowReaders.stop()
      feed.tell()
      io.disconnectSockets(true)
      await new Promise<void>((resolve) => io.engine.close() && resolve())
    },
  }
}

/** The request that opened a connection is needed no more, and would be a third of what an idle worker keeps alive. */
function forgetRequest({ conn }: Socket): void {
  const holder = conn as { request: unknown }
  holder.request = null
}

function identityOf(socket: Socket): Identity {
  return (socket.data as { who: Identity }).who
}

async function verify({ credentials }: ServerParts, socket: Socket): Promise<Identity | Refusal> {
  return credentials.verify((socket.data as { token: string }).token)
}

/** Socket.IO carries a problem to the client as the data of its error. */
async function admit(
  parts: ServerParts,
  counts: ConnectionCounts,
  manners: Manners,
  socket: Socket,
): Promise<Error | undefined> {
  const { token } = socket.handshake.auth as { token?: unknown }
  if (typeof token !== 'string') return refusedError(refusedHere('credential_missing'))
  socket.data = { token }
  const who = await verify(parts, socket)
  if ('refused' in who) return refusedError(who)
  await manners.held(who.user)
  const refusal = counts.credentialRefusal(who.tokenId)
  if (refusal) return refusedError(refusal)
  // One that has gone meanwhile would never be counted off.
  if (socket.conn.readyState === 'open') socket.conn.once('close', counts.admitted(who.tokenId))
  socket.data = { token, who }
  return undefined
}

function refusedError(refusal: Refusal): Error {
  const problem = problemOf(refusal)
  return Object.assign(new Error(`${problem.code}: ${problem.detail}`), { data: problem })
}

/** Relays events, and looks again at who may hear them whenever a room or an account changes, or may have changed. */
class Watch implements FeedListener {
  readonly #io: Server
  readonly #parts: ServerParts
  readonly #feed: FeedQueue
  readonly #looks: Looks

  constructor(io: Server, parts: ServerParts, feed: FeedQueue, onFault: SocketOptions['onFault']) {
    this.#io = io
    this.#parts = parts
    this.#feed = feed
    this.#looks = new Looks((fault) => onFault(fault, 'who may hear'))
  }

  onBatch(batch: Parameters<FeedListener['onBatch']>[0]): void {
    this.#feed.onBatch(batch)
    for (const { subject } of batch.events) {
      if (subject.startsWith('job/')) continue
      if (subject.startsWith('room/')) {
        this.#looks.try(`told ${batch.partition}`, () => this.#tellOf(batch.partition))
        this.#lookAt(batch.partition)
      } else if (subject.startsWith('user/'))
        this.#looks.try(subject, () => this.#verifyAgain(this.#socketsOf(subject.slice('user/'.length))))
      else if (subject.startsWith('revoked/')) this.#cutToken(subject.slice('revoked/'.length))
    }
  }

  /** Nobody knows who was sent out meanwhile: everybody is asked again for what they are and where they stand. */
  onReset(epoch: string): void {
    this.#feed.onReset(epoch)
    this.#looks.try('everybody', () => this.#verifyAgain([...this.#io.sockets.sockets.values()]))
    for (const room of this.#roomsUsed()) this.#lookAt(room)
  }

  #lookAt(room: string): void {
    this.#looks.try(`room/${room}`, () => this.#lookAgain(room))
  }

  /** Without its name, and only to those who may see it: a private room must not be heard by others at all. */
  async #tellOf(room: string): Promise<void> {
    const maySee = await readersOf(this.#parts.rooms, room)
    const may = (socket: Socket): boolean => maySee(identityOf(socket))
    for (const channel of [systemChannel, adminChannel])
      emitInSlices(this.#io, channel, clientEvents.roomsChanged.event, {}, may)
  }

  async #lookAgain(room: string): Promise<void> {
    for (const socket of this.#socketsIn(roomChannel(room))) {
      const who = identityOf(socket)
      const entered = await openRoom(this.#parts.rooms, room, who, 'read')
      const before = standingsOf(socket).get(room)
      if ('refused' in entered || visibleStanding(entered, who) !== before) socket.disconnect(true)
    }
    await withdrawBarred(this.#parts, room)
  }

  async #verifyAgain(sockets: readonly Socket[]): Promise<void> {
    for (const socket of sockets) {
      const who = await verify(this.#parts, socket)
      if ('refused' in who || who.role !== identityOf(socket).role) socket.disconnect(true)
    }
  }

  /** Those that somebody here listens to or serves. */
  #roomsUsed(): ReadonlySet<string> {
    const start = roomChannel('')
    const joined = [...this.#io.sockets.adapter.rooms.keys()]
      .filter((channel) => channel.startsWith(start))
      .map((channel) => channel.slice(start.length))
    const served = [...this.#parts.roster.all()].flatMap(({ record }) =>
      record.serves.flatMap(({ room }) => room ?? []),
    )
    return new Set([...joined, ...served])
  }

  #cutToken(tokenId: string): void {
    for (const socket of this.#io.sockets.sockets.values()) {
      if (identityOf(socket).tokenId === tokenId) socket.disconnect(true)
    }
  }

  #socketsOf(user: string): readonly Socket[] {
    return [...this.#socketsIn(userChannel(user)), ...this.#socketsIn(makerChannel(user))]
  }

  #socketsIn(channel: string): readonly Socket[] {
    const ids = this.#io.sockets.adapter.rooms.get(channel) ?? new Set()
    return [...ids].flatMap((id) => this.#io.sockets.sockets.get(id) ?? [])
  }
}
