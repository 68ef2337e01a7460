// Asks the server, typed by the routes of the protocol: what a route takes and answers is known from its schemas.

import type { Access, BodyOf, Method, ParamsOf, QueryOf, ReplyOf, Route } from '@millrace/protocol'
import { problemOfReply, unreachable } from './api-problem.ts'
import { noteDate } from './server-clock.ts'
import { endSession, session } from './session.ts'

type Part<Name extends string, Value> = Value extends undefined
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value }

export type Ask<R extends Route> = Part<'params', ParamsOf<R>> &
  Part<'body', BodyOf<R>> & {
    readonly query?: QueryOf<R> | undefined
    readonly signal?: AbortSignal | undefined
  }

export async function call<R extends Route>(route: R, ask: Ask<R>): Promise<ReplyOf<R>> {
  return (await callByPath(route.method, route.path, ask as Asked, route.access)) as ReplyOf<R>
}

interface Asked {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

async function callByPath(
  method: Method,
  path: string,
  { params, query, body, signal }: Asked,
  access: Access = 'token',
): Promise<unknown> {
  const token = session.get()?.token
  const reply = await fetch(addressOf(path, params, query), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && access !== 'anyone' && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((fault: unknown) => {
    throw signal?.aborted === true ? fault : unreachable()
  })
  noteDate(reply.headers.get('date'))
  if (reply.status === 401 && access !== 'anyone') endSession('expired', token)
  if (!reply.ok) throw await problemOfReply(reply)
  return reply.status === 204 ? null : await reply.json()
}

export function addressOf(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return asked.length === 0 ? filled : `${filled}?${new URLSearchParams(asked)}`
}
