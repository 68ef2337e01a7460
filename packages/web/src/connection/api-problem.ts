// What the server answers when it refuses, and what is left when nobody answers, as one error that pages can show.

import type { Problem } from '@millrace/protocol'

export class ApiProblem extends Error {
  readonly status: number
  /** The stable word of the refusal; `unreachable` when nobody answered. */
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor({ status, code, detail, details }: Pick<Problem, 'status' | 'code' | 'detail' | 'details'>) {
    super(detail)
    this.name = 'ApiProblem'
    this.status = status
    this.code = code
    this.details = details ?? {}
  }
}

export function unreachable(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'unreachable', detail: 'The server does not answer.' })
}

/** A proxy in between answers with whatever it likes. */
export async function problemOfReply(reply: Response): Promise<ApiProblem> {
  const body: unknown = await reply.json().catch(() => null)
  if (isProblem(body)) return new ApiProblem(body)
  const detail = `The server answered ${reply.status} without saying why.`
  return new ApiProblem({ status: reply.status, code: 'unexplained', detail })
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false
  return 'code' in body && 'detail' in body && 'status' in body
}
