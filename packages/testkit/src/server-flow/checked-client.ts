// A client that believes nothing: every answer is held against the protocol before a test sees it.

import type { Socket } from 'socket.io-client'
import { type ApiAnswer, ApiClient } from '../server/api-client.ts'
import { checkAcknowledgement, checkAnswer } from './wire-check.ts'

export interface ProblemBody {
  readonly code: string
  readonly detail: string
  readonly details?: Record<string, unknown>
}

export class CheckedClient extends ApiClient {
  readonly user: string

  constructor(url: string, token: string | null, user: string) {
    super(url, token)
    this.user = user
  }

  override async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<ApiAnswer<Body>> {
    const answer = await super.call<Body>(method, path, body, signal)
    checkAnswer(method, path, answer.status, answer.body)
    return answer
  }

  get<Body>(path: string): Promise<Body> {
    return this.expect<Body>(200, 'GET', path)
  }

  /** The problem of an answer that has to be refused with this status. */
  refused(status: number, method: string, path: string, body?: unknown): Promise<ProblemBody> {
    return this.expect<ProblemBody>(status, method, path, body)
  }
}

/** Says something on a socket and gives back what was acknowledged. */
export async function tell<Answer = { ok: boolean }>(
  socket: Socket,
  event: string,
  payload: unknown,
): Promise<Answer> {
  const answer: unknown = await socket.emitWithAck(event, payload)
  checkAcknowledgement(event, answer)
  return answer as Answer
}
