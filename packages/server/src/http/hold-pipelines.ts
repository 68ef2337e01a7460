// A connection answers its requests one after the other, but all that have arrived are worked on at once: a flood of them
// on one connection would stand before everybody else's next request. Nobody's client sends many without waiting.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const maxWaiting = 50

/** Cuts a connection with more requests under way than that. */
export function holdPipelines(server: Server): void {
  const waiting = new WeakMap<object, number>()
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > maxWaiting) socket.destroy()
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
  })
}
