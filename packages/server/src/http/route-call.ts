// What a handler is told of a request. A class, because an object literal with a getter makes a hidden class of its own
// every time it is evaluated: V8 keeps those among the old objects, and each held its whole request until the next full
// collection.

import type { Identity } from '@millrace/domain'
import type { BodyOf, ParamsOf, QueryOf, Route } from '@millrace/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyBytes } from './body-limits.ts'
import type { AddressOf } from './client-address.ts'

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

export class RouteCall<R extends Route> implements Call<R> {
  readonly who: Call<R>['who']
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #addressOf: AddressOf

  /** `who` is what the route's access found out. */
  constructor(request: FastifyRequest, reply: FastifyReply, who: Identity | null, addressOf: AddressOf) {
    this.who = who as Call<R>['who']
    this.#request = request
    this.#reply = reply
    this.#addressOf = addressOf
  }

  get params(): ParamsOf<R> {
    return this.#request.params as ParamsOf<R>
  }

  get query(): QueryOf<R> {
    return this.#request.query as QueryOf<R>
  }

  get body(): BodyOf<R> {
    return this.#request.body as BodyOf<R>
  }

  get bodyBytes(): number {
    return bodyBytes(this.#request.headers) ?? Number.POSITIVE_INFINITY
  }

  get address(): string {
    return this.#addressOf(this.#request.socket.remoteAddress, this.#request.headers['x-forwarded-for'])
  }

  /** By the answer's stream and not the request's, which closes as soon as the body is read, whoever still waits. */
  get gone(): AbortSignal {
    const gone = new AbortController()
    this.#reply.raw.once('close', () => gone.abort())
    return gone.signal
  }
}
