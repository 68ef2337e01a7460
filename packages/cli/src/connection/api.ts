// Asks the server by the routes of the protocol. A refusal becomes an error that says what to do next.

import type { BodyOf, ParamsOf, Problem, QueryOf, ReplyOf, Route } from '@millrace/protocol'
import { CliError, type ExitCode, exitCodes } from '../output/cli-error.ts'
import type { Target } from './target.ts'

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? object
  : { readonly [N in Name]: Value }

export type Question<R extends Route> = Given<'params', ParamsOf<R>> &
  Given<'body', BodyOf<R>> & { readonly query?: QueryOf<R>; readonly signal?: AbortSignal }

export class Api {
  readonly target: Target

  constructor(target: Target) {
    this.target = target
  }

  async ask<R extends Route>(route: R, question: Question<R>): Promise<ReplyOf<R>> {
    const { params, body, query, signal } = question as {
      readonly params?: Record<string, string>
      readonly body?: unknown
      readonly query?: Record<string, unknown>
      readonly signal?: AbortSignal
    }
    const reply = await this.#fetch(this.target.url + pathOf(route, params, query), {
      method: route.method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.target.token !== null && { authorization: `Bearer ${this.target.token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await reply.text()
    if (reply.ok) return (text === '' ? null : JSON.parse(text)) as ReplyOf<R>
    throw refusalOf(reply.status, text, this.target)
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

export function unreachable({ url, from }: Target, error: unknown): CliError {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  const why = cause?.code ?? cause?.message ?? (error as Error).message
  return new CliError(`No Millrace server answers at ${url} (from ${from}): ${why}`, {
    exitCode: exitCodes.unreachable,
    code: 'unreachable',
    next: 'Start one with `millrace dev`, or name another with --url or --profile.',
  })
}

function pathOf(
  { path }: Route,
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
  if (!problem) {
    return new CliError(`${target.url} answered ${status}, and not as a Millrace server does.`, {
      exitCode: exitCodes.unreachable,
      code: 'not_millrace',
      next: 'Is something else listening there, or a proxy in between?',
    })
  }
  const { code, detail, details } = problem
  return new CliError(detail, {
    exitCode: exitCodeOf(status),
    code,
    ...(details && { details }),
    ...nextStepOf(status, target),
  })
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.forbidden
  return status === 503 ? exitCodes.unreachable : exitCodes.refused
}

function nextStepOf(status: number, { token }: Target): { next?: string } {
  if (status !== 401) return {}
  return token === null
    ? { next: 'Sign in with `millrace login`, or set MILLRACE_TOKEN.' }
    : { next: 'The credential does not hold (any more): sign in again with `millrace login`.' }
}

function problemOf(text: string): Problem | null {
  try {
    const parsed = JSON.parse(text) as Problem
    return typeof parsed.code === 'string' && typeof parsed.detail === 'string' ? parsed : null
  } catch {
    return null
  }
}
