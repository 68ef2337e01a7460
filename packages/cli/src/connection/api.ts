// Asks the server by the addresses of the protocol, which the compiler checks; its schemas stay unloaded, because they
// would take longer than most questions. A refusal becomes an error that says what to do next.

import type { BodyOf, ParamsOf, Problem, QueryOf, ReplyOf, Route, routes } from '@millrace/protocol'
import { CliError, type ExitCode, exitCodes } from '../output/cli-error.ts'
import { self } from '../output/own-name.ts'
import { signInAdvice } from './sign-in-advice.ts'
import type { Target } from './target.ts'

type Routes = (typeof routes)[keyof typeof routes]

/** `GET /api/rooms/{room}` and so on. */
export type Address = Routes extends infer R
  ? R extends Route
    ? `${R['method']} ${R['path']}`
    : never
  : never

type RouteAt<A extends Address, R = Routes> = R extends Route
  ? A extends `${R['method']} ${R['path']}`
    ? R
    : never
  : never

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? object
  : { readonly [N in Name]: Value }

export type Question<A extends Address> = Given<'params', ParamsOf<RouteAt<A>>> &
  Given<'body', BodyOf<RouteAt<A>>> & { readonly query?: QueryOf<RouteAt<A>>; readonly signal?: AbortSignal }

export type Answer<A extends Address> = ReplyOf<RouteAt<A>>

export interface Reply<Body> {
  readonly body: Body
  readonly headers: Headers
}

/** A server that takes longer is not going to answer. */
const patienceMs = 30_000
/** Profiles in a hint. */
const mostNamed = 5

export class Api {
  readonly target: Target

  constructor(target: Target) {
    this.target = target
  }

  async ask<A extends Address>(address: A, question: Question<A>): Promise<Answer<A>> {
    return (await this.askFully(address, question)).body
  }

  /** With the headers, for those who want to know more than was asked. */
  async askFully<A extends Address>(address: A, question: Question<A>): Promise<Reply<Answer<A>>> {
    const { params, body, query, signal } = question as {
      readonly params?: Record<string, string>
      readonly body?: unknown
      readonly query?: Record<string, unknown>
      readonly signal?: AbortSignal
    }
    const [method = '', path = ''] = address.split(' ')
    const patience = AbortSignal.timeout(patienceMs)
    const reply = await this.#fetch(this.target.url + addressOf(path, params, query), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.target.token !== null && { authorization: `Bearer ${this.target.token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    })
    const text = await reply.text().catch((error: unknown) => {
      throw unreachable(this.target, error)
    })
    if (!reply.ok) throw refusalOf(reply.status, text, this.target)
    return { body: bodyOf(text, this.target) as Answer<A>, headers: reply.headers }
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init)
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw error
      throw unreachable(this.target, error)
    }
  }
}

function unreachable({ url, from, otherProfiles }: Target, error: unknown): CliError {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
  const why = name === 'TimeoutError' ? 'it takes too long' : (cause?.code ?? cause?.message ?? message)
  return new CliError(`No Millrace server answers at ${url} (from ${from}): ${why}`, {
    exitCode: exitCodes.unreachable,
    code: 'unreachable',
    next: `Start one with \`${self} dev\`, or name another with --url or --profile.${otherServers(otherProfiles)}`,
  })
}

function otherServers(profiles: readonly string[]): string {
  if (profiles.length === 0) return ''
  const uses = profiles.slice(0, mostNamed).map((name) => `\`${self} profiles use ${name}\``)
  const more = profiles.length > mostNamed ? `, and ${profiles.length - mostNamed} more` : ''
  return `\nThere are other profiles: ${uses.join(', ')}${more}.`
}

/** What the server refused, wherever it said so: in an answer or on a socket. */
export function refused(
  status: number,
  { code, detail, details }: Pick<Problem, 'code' | 'detail' | 'details'>,
  target: Target,
): CliError {
  return new CliError(detail, {
    exitCode: exitCodeOf(status),
    code,
    ...(details && { details }),
    ...nextStepOf(status, code, target),
  })
}

function addressOf(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}

function refusalOf(status: number, text: string, target: Target): CliError {
  const problem = problemOf(text)
  return problem ? refused(status, problem, target) : notMillrace(`${target.url} answered ${status}`)
}

function bodyOf(text: string, target: Target): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw notMillrace(`${target.url} did not answer in JSON`)
  }
}

function notMillrace(what: string): CliError {
  return new CliError(`${what}, and not as a Millrace server does.`, {
    exitCode: exitCodes.unreachable,
    code: 'not_millrace',
    next: 'Is something else listening there, or a proxy in between?',
  })
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.forbidden
  return status === 503 ? exitCodes.unreachable : exitCodes.refused
}

function nextStepOf(status: number, code: string, target: Target): { next?: string } {
  if (status === 401) return { next: signInAdvice(target) }
  const { room } = target
  if (code === 'room_not_found') {
    const named = room === null ? '' : `Room '${room}' is not there, or not for you. `
    return { next: `${named}\`${self} rooms ls\` lists the rooms you may see.` }
  }
  return code === 'admin_required' ? { next: `\`${self} whoami\` says who you are here.` } : {}
}

/** The one answer that is no problem although it says no: a server that is not ready. */
function problemOf(text: string): Pick<Problem, 'code' | 'detail' | 'details'> | null {
  try {
    const { code, detail, details, status, reason } = JSON.parse(text) as Record<string, unknown>
    if (status === 'not_ready') return { code: status, detail: `The server is not ready: ${String(reason)}` }
    if (typeof code !== 'string' || typeof detail !== 'string') return null
    return { code, detail, ...(details ? { details: details as Record<string, unknown> } : {}) }
  } catch {
    return null
  }
}
