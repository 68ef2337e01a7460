// Asks those who read the figures for a token that opens nothing else.

import { createHash, timingSafeEqual } from 'node:crypto'
import { routes } from '@millrace/protocol'
import type { FastifyInstance } from 'fastify'
import { problemOf, refusedHere } from '../refusal/problem-of.ts'
import { sendProblem } from './send-problem.ts'

export function guardFigures(app: FastifyInstance, token: string): void {
  const expected = digest(`Bearer ${token}`)
  app.addHook('onRequest', async ({ routeOptions, headers: { authorization } }, reply) => {
    if (routeOptions.url !== routes.metrics.path) return
    if (authorization === undefined) return sendProblem(reply, problemOf(refusedHere('credential_missing')))
    if (timingSafeEqual(digest(authorization), expected)) return
    return sendProblem(reply, problemOf(refusedHere('credential_invalid')))
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
