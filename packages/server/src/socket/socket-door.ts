// The first door of a socket: the names and origins the server answers to, and how many connections there may be, before
// any handshake. The credential is asked for at the second, inside.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '@millrace/domain'
import type { Server } from 'socket.io'
import type { AddressOf } from '../http/client-address.ts'
import { endWithProblem } from '../http/raw-problem.ts'
import type { Site } from '../http/site.ts'
import { problemOf, refusedHere } from '../refusal/problem-of.ts'
import type { ConnectionCounts } from './connection-counts.ts'

export interface SocketDoor {
  readonly site: Site
  readonly addressOf: AddressOf
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'OPTIONS'])

export function guardSockets(io: Server, { site, addressOf }: SocketDoor, counts: ConnectionCounts): void {
  const addressIn = ({ socket, headers }: IncomingMessage): string =>
    addressOf(socket.remoteAddress, headers['x-forwarded-for'])
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const { host, origin } = request.headers
    const refusal =
      methodRefusal(request) ??
      site.hostRefusal(host) ??
      site.socketRefusal(origin, host) ??
      (isNew(request) ? counts.refusalFor(addressIn(request)) : null)
    if (refusal) refuse(request, response, refusal)
    else next()
  })
  io.engine.on(
    'connection',
    (line: { request: IncomingMessage; once(event: 'close', then: () => void): void }) => {
      line.once('close', counts.opened(addressIn(line.request)))
    },
  )
}

/** The library answers 500 to what it does not know. */
function methodRefusal({ method = '' }: IncomingMessage): Refusal | null {
  return methods.has(method) ? null : refusedHere('route_not_found')
}

/** Later requests of a connection that polls name it. */
function isNew({ url = '' }: IncomingMessage): boolean {
  return !/[?&]sid=/.test(url)
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const problem = problemOf(refusal)
  if (request.headers.upgrade !== undefined) {
    endWithProblem(request.socket, problem)
    return
  }
  response.writeHead(problem.status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify(problem))
}
