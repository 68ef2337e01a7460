// Problems as HTTP carries them: their own media type, and how long to wait where waiting helps.

import type { FastifyReply } from 'fastify'
import type { ProblemBody } from '../refusal/problem-of.ts'
import { storeRetrySeconds } from '../refusal/problem-of.ts'

export function sendProblem(reply: FastifyReply, problem: ProblemBody): FastifyReply {
  const retryAfter = retrySeconds(problem)
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter))
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

function retrySeconds({ status, details }: ProblemBody): number | null {
  const waitMs = details?.['retryAfterMs']
  if (typeof waitMs === 'number' && (status === 429 || status === 503)) return Math.ceil(waitMs / 1_000)
  return status === 503 ? storeRetrySeconds : null
}
