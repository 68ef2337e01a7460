// Puts a route of the protocol on the server: who may knock, what is asked, what is answered. A handler knows nothing of
// Fastify; it gets what was validated and gives a status with a body, or a refusal.

import type { Identity, Refusal } from '@millrace/domain'
import { type BodyOf, type ParamsOf, Problem, type QueryOf, type Route, routes } from '@millrace/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../refusal/problem-of.ts'
import { urlOf } from './asked-by.ts'
import { type BodyLimitOf, bodyBytes } from './body-limits.ts'
import type { AddressOf } from './client-address.ts'
import type { Doorkeeper } from './doorkeeper.ts'
import { sendProblem } from './send-problem.ts'

export interface Call<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** Of the request's body, as it came. */
  readonly bodyBytes: number
  readonly who: R['access'] extends 'anyone' ? null : Identity
  /** The client's, as limits count it. */
  readonly address: string
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal
}

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
      const answered = await handler(callOf(route, request, reply, admitted.get(request) ?? null, addressOf))
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

function callOf<R extends Route>(
  _route: R,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Identity | null,
  addressOf: AddressOf,
): Call<R> {
  return {
    params: request.params as Call<R>['params'],
    query: request.query as Call<R>['query'],
    body: request.body as Call<R>['body'],
    bodyBytes: bodyBytes(request.headers) ?? Number.POSITIVE_INFINITY,
    who: who as Call<R>['who'],
    get address() {
      return addressOf(request.socket.remoteAddress, request.headers['x-forwarded-for'])
    },
    get gone() {
      return goneOf(reply)
    },
  }
}

/** The answer's stream and not the request's, which closes as soon as the body is read, whoever still waits. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

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
