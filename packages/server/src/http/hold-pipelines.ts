// A connection answers its requests one after the other, but all that have arrived are worked on at once: a flood of them
// on one connection would stand before everybody else's next request. Nobody's client sends many without waiting.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const maxWaiting = 10
/** A flood that is cut at once comes back at once, as fast as it can be cut; until then nothing more is read of it. */
const heldMs = 1_000

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Cuts a connection with more requests under way than that. */
export function holdPipelines(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>()
  const cut = new WeakSet<Socket>()
  const listeners = app.server.listeners('request') as Answer[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // Hundreds more may have been read with the one that was too many, and come here although their connection is cut.
    if (cut.has(socket)) return
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > maxWaiting) {
      cut.add(socket)
      withoutStacks(socket)
      socket.pause()
      setTimeout(() => socket.destroy(), heldMs).unref()
      return
    }
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    for (const answer of listeners) answer(request, response)
  })
  // Those before it have been let in by now, and wait for their credential to be looked at.
  app.addHook('preHandler', ({ raw }: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (cut.has(raw.socket)) reply.hijack()
    else done()
  })
}

/** Each request of a connection that closes gets an error of its own; to trace hundreds takes longer than to answer them. */
function withoutStacks(socket: Socket): void {
  let usual = 0
  socket.prependOnceListener('close', () => {
    usual = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = usual
  })
}
