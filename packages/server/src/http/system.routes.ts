// What operators and their tools ask.

import { routes } from '@millrace/protocol'
import type { FastifyInstance } from 'fastify'
import type { AddRoute } from './add-routes.ts'
import type { AddressOf } from './client-address.ts'
import { answer } from './route-handler.ts'

export interface SystemParts {
  /** Null: ready. Otherwise what is missing, in words. */
  readonly notReady: () => string | null
  readonly describeStore: () => Promise<object>
  /** Null: not served here. */
  readonly metrics: (() => Promise<string>) | null
  readonly docs: boolean
  readonly addressOf: AddressOf
}

export function systemRoutes(app: FastifyInstance, system: SystemParts, add: AddRoute): void {
  add(routes.live, async () => answer(200, { status: 'live' }))
  add(routes.ready, async () => {
    const reason = system.notReady()
    if (reason !== null) return answer(503, { status: 'not_ready', reason })
    return answer(200, { status: 'ready', store: await system.describeStore() })
  })
  const { metrics } = system
  if (metrics) add(routes.metrics, async () => answer(200, await metrics()))
  if (system.docs) add(routes.openapi, async () => answer(200, app.swagger()))
}
