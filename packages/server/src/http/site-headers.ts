// What every answer says beside its content: that no page may frame it, guess its type or pass on its address, and that
// it loads nothing. A page overrides the last with what it needs. Other origins are admitted only where they are named.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../refusal/problem-of.ts'
import { sendProblem } from './send-problem.ts'
import type { Site } from './site.ts'

const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

export function guardSite(app: FastifyInstance, site: Site): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safeHeaders)
    const { host, origin } = request.headers
    const refusal = site.hostRefusal(host) ?? site.originRefusal(request.method, origin, host)
    if (refusal) return sendProblem(reply, problemOf(refusal))
    if (origin === undefined || !site.isNamed(origin)) return
    return openTo(origin, request, reply)
  })
}

/** Without credentials: the browser keeps cookies to itself, and a token is a header that the page sets. */
function openTo(origin: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after',
    vary: 'Origin',
  })
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return undefined
  reply.headers({
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  })
  return reply.code(204).send()
}
