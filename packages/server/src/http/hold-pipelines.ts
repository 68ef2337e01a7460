// A connection answers its requests one after the other, but all that have arrived are worked on at once: a flood of them
// on one connection would stand before everybody else's next request. Nobody's client sends many without waiting.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const maxWaiting = 50

/** Cuts a connection with more requests under way than that. */
export function holdPipelines(app: FastifyInstance): void {
  const waiting = new WeakMap<object, number>()
  const cut = new WeakSet<object>()
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > maxWaiting) {
      cut.add(socket)
      socket.destroy()
    }
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
  })
  // Hundreds more may have been read with the one that was too many, and come here although their connection is cut.
  const drop = ({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (cut.has(raw.socket)) reply.hijack()
    else done()
  }
  app.addHook('onRequest', drop)
  // Those before it have been let in by now, and wait for their credential to be looked at.
  app.addHook('preHandler', drop)
}
