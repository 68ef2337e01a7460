// What costs much when many come at once is done one by one: opening a socket, its credential, ending it, and each message
// of a user. Otherwise a crowd that comes or goes, or one connection that floods, would stand before everybody's requests.

import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Server, Socket } from 'socket.io'
import { Turns } from '../limits/turns.ts'

/** Of one connection; what is behind them stays with whoever sends it. */
const mostWaiting = 16

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** In front of whoever listens for upgrades by now. */
export function openInTurn(http: HttpServer): void {
  const turns = new Turns()
  const listeners = http.listeners('upgrade') as Upgrade[]
  http.removeAllListeners('upgrade')
  http.on('upgrade', (...upgrade: Parameters<Upgrade>) => {
    const [, socket] = upgrade
    // Nobody else listens yet, and an error that nobody hears ends the process.
    socket.on('error', ignore)
    turns.take(undefined, () => {
      socket.off('error', ignore)
      if (!socket.destroyed) for (const open of listeners) open.apply(http, upgrade)
    })
  })
}

/** The end of a connection, as its peer says it and as the library tells of it. */
export function endInTurn(io: Server): void {
  const turns = new Turns()
  io.engine.on('connection', (line: Line) => {
    putInTurn(line, 'close', turns, () => true)
    // The one of a connection that polls belongs to its requests.
    if (line.transport.name !== 'websocket') return
    const { socket } = line.request
    // One that is destroyed while it waits has been dealt with, and the library has let go of it.
    putInTurn(socket, 'end', turns, () => !socket.destroyed)
  })
}

/** What a connection still says when its end has been decided is parsed all the same; a flood of it ends it at once. */
export function endTalkers(io: Server): void {
  io.engine.on('connection', (line: Line) => {
    line.once('close', () => {
      const { socket } = line.transport
      let late = 0
      socket?.on('message', () => {
        late += 1
        if (late > lateMessages) socket.terminate()
      })
    })
  })
}

/** Many, because what is ended at once does not hear why, and those who send a little too much shall. */
const lateMessages = 500

interface Line extends NodeJS.EventEmitter {
  /** The socket is that of a WebSocket alone. */
  readonly transport: {
    readonly name: string
    readonly socket?: NodeJS.EventEmitter & { terminate(): void }
  }
  readonly request: IncomingMessage
}

/** In front of whoever listens by now. */
function putInTurn(
  emitter: NodeJS.EventEmitter,
  event: string,
  turns: Turns,
  isStillTrue: () => boolean,
): void {
  const listeners = emitter.listeners(event)
  emitter.removeAllListeners(event)
  emitter.once(event, (...told: unknown[]) => {
    turns.take(undefined, () => {
      if (isStillTrue()) for (const listen of listeners) listen.apply(emitter, told)
    })
  })
}

/** The frames that came together on a connection are parsed one by one. The library has no option of its own for it. */
export function readInTurn(io: Server): void {
  const { ws } = io.engine as unknown as { readonly ws: { readonly options: Record<string, unknown> } }
  ws.options['allowSynchronousEvents'] = false
}

/** Credentials are looked at one by one: those who come together all show theirs in the same moment. */
export function admitInTurn(io: Server): void {
  const turns = new Turns()
  io.use((_socket, go) => turns.take(undefined, go))
}

/** The messages of all connections of one user: whoever opens a thousand is heard as often as with one. */
export class UserTurns {
  readonly #ofUser = new Map<string, { readonly turns: Turns<Socket>; sockets: number }>()

  hear(socket: Socket, user: string): void {
    const own = this.#ofUser.get(user) ?? { turns: new Turns<Socket>(), sockets: 0 }
    own.sockets += 1
    this.#ofUser.set(user, own)
    let waiting = 0
    let isPaused = false
    socket.use((_message, go) => {
      waiting += 1
      if (waiting === mostWaiting) {
        isPaused = true
        readerOf(socket)?.pause()
      }
      own.turns.take(socket, () => {
        waiting -= 1
        if (waiting === 0 && isPaused) {
          isPaused = false
          readerOf(socket)?.resume()
        }
        go()
      })
    })
    socket.once('disconnect', () => {
      own.sockets -= 1
      if (own.sockets === 0) this.#ofUser.delete(user)
    })
  }
}

/** None for a connection that polls, where a body is the most that can wait. */
function readerOf({ conn }: Socket): { pause(): void; resume(): void } | undefined {
  return (conn.transport as { readonly socket?: { pause(): void; resume(): void } }).socket
}

function ignore(): void {}
