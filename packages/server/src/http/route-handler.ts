// Puts a route of the protocol on the server: who may knock, what is asked, what is answered. A handler knows nothing of
// Fastify; it gets what was validated and gives a status with a body, or a refusal.

import type { Identity, Refusal } from '@millrace/domain'
import { Problem, type Route, routes } from '@millrace/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../refusal/problem-of.ts'
import { urlOf } from './asked-by.ts'
import { type BodyLimitOf, bodyBytes } from './body-limits.ts'
import type { AddressOf } from './client-address.ts'
import type { Doorkeeper } from './doorkeeper.ts'
import { type Call, RouteCall } from './route-call.ts'
import { sendProblem } from './send-problem.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

export type Handler<R extends Route> = (call: Call<R>) => Promise<Answer | Refusal>

export function answer(status: number, body: unknown = null): Answer {
  return { status, body }
}

export interface Door {
  readonly keeper: Doorkeeper
  readonly addressOf: AddressOf
  readonly bodyLimitOf: BodyLimitOf
}

export function addRoute<R extends Route>(
  app: FastifyInstance,
  { keeper, addressOf, bodyLimitOf }: Door,
  route: R,
  handler: Handler<R>,
): void {
  const admitted = new WeakMap<FastifyRequest, Identity>()
  app.route({
    method: route.method,
    url: urlOf(route),
    schema: schemaOf(route),
    bodyLimit: bodyLimitOf(route),
    // Before the body is read: whoever may not ask costs nothing and learns nothing of what is taken here.
    onRequest: async (request, reply) => {
      if (route.access === 'anyone') return
      const who = await keeper.admit(route, request.headers)
      if ('refused' in who) return refuseUnread(request, reply, who)
      admitted.set(request, who)
    },
    handler: async (request, reply) => {
      const who = admitted.get(request) ?? null
      const answered = await handler(new RouteCall<R>(request, reply, who, addressOf))
      return send(reply, answered)
    },
  })
}

/** A body that nobody wants would be read to its end all the same, to get at what follows it on the connection. */
function refuseUnread({ headers }: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  if ((bodyBytes(headers) ?? Number.POSITIVE_INFINITY) > unreadMaxBytes) reply.header('connection', 'close')
  return sendProblem(reply, problemOf(refusal))
}

const unreadMaxBytes = 100_000

function send(reply: FastifyReply, answered: Answer | Refusal): FastifyReply {
  if ('refused' in answered) return sendProblem(reply, problemOf(answered))
  const { status, body } = answered
  return body === null ? reply.code(status).send() : reply.code(status).send(body)
}

/** The names under which programs that are generated from the description find the routes. */
const nameOf = new Map<Route, string>(Object.entries(routes).map(([name, route]) => [route, name]))

function schemaOf(route: Route): Record<string, unknown> {
  const { params, query, body, replies, tag, summary, access } = route
  const response = Object.fromEntries(
    Object.entries(replies).map(([status, schema]) => [
      status,
      schema ?? { type: 'null', description: summary },
    ]),
  )
  return {
    operationId: nameOf.get(route),
    summary,
    tags: [tag],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: { ...response, default: Problem },
    ...(access !== 'anyone' && { security: [{ bearer: [] }] }),
  }
}
