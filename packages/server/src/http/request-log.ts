// One line for every request, for those who debug. Of an address only the path is told: what stands behind it may be a
// login code, and a header may be a credential.

import type { FastifyInstance } from 'fastify'
import type { AddressOf } from './client-address.ts'

export function logRequests(
  app: FastifyInstance,
  addressOf: AddressOf,
  log: (message: string) => void,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, socket, headers } = request
    const path = JSON.stringify(url.replace(/[?#].*$/s, '').slice(0, 500))
    const from = addressOf(socket.remoteAddress, headers['x-forwarded-for'])
    log(`${method} ${path} ${reply.statusCode} in ${reply.elapsedTime.toFixed(1)} ms from ${from}`)
  })
}
