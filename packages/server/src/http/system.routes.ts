// What operators and their tools ask.

import { routes } from '@millrace/protocol'
import type { FastifyInstance } from 'fastify'
import type { AddRoute } from './add-routes.ts'
import type { BodyLimitOf } from './body-limits.ts'
import type { AddressOf } from './client-address.ts'
import { answer } from './route-handler.ts'

export interface SystemParts {
  /** Null: ready. Otherwise what is missing, in words. */
  readonly notReady: () => string | null
  /** Null: it cannot be reached. */
  readonly describeStore: () => Promise<object | null>
  /** Null: not served here. */
  readonly metrics: (() => Promise<string>) | null
  readonly docs: boolean
  /** As they may be shown to an admin. */
  readonly options: readonly object[]
  readonly addressOf: AddressOf
  readonly bodyLimitOf: BodyLimitOf
}

export const storeOut = 'the store cannot be reached; nothing is placed until it is back'

export function systemRoutes(app: FastifyInstance, system: SystemParts, add: AddRoute): void {
  add(routes.live, async () => answer(200, { status: 'live' }))
  add(routes.ready, async () => {
    const reason = system.notReady()
    if (reason !== null) return answer(503, { status: 'not_ready', reason })
    const store = await system.describeStore()
    if (store === null) return answer(503, { status: 'not_ready', reason: storeOut })
    return answer(200, { status: 'ready', store })
  })
  const { metrics } = system
  if (metrics) add(routes.metrics, async () => answer(200, await metrics()))
  add(routes.getConfig, async () => answer(200, { options: system.options }))
  if (system.docs) add(routes.openapi, async () => answer(200, app.swagger()))
}
