// All routes of the protocol on one server. That none is missing is a test's business: it compares with the catalogue.

import type { Route } from '@millrace/protocol'
import type { FastifyInstance } from 'fastify'
import type { ServerParts } from '../server-parts.ts'
import { auditRoutes } from './audit.routes.ts'
import { authRoutes, userRoutes } from './auth.routes.ts'
import { Doorkeeper } from './doorkeeper.ts'
import { extensionRoutes } from './extension.routes.ts'
import { jobRoutes } from './job.routes.ts'
import { lockRoutes } from './lock.routes.ts'
import { manyJobsRoutes } from './many-jobs.routes.ts'
import { overviewRoutes } from './overview.routes.ts'
import { placementRoutes } from './placement.routes.ts'
import { roomRoutes } from './room.routes.ts'
import { addRoute, type Handler } from './route-handler.ts'
import { type SystemParts, systemRoutes } from './system.routes.ts'
import { workerRoutes } from './worker.routes.ts'

export type AddRoute = <R extends Route>(route: R, handler: Handler<R>) => void

export function addRoutes(app: FastifyInstance, parts: ServerParts, system: SystemParts): void {
  const { credentials, edge, store } = parts
  const { addressOf, bodyLimitOf } = system
  const keeper = new Doorkeeper({ credentials, edge, bodyLimitOf, now: () => store.now() })
  const add: AddRoute = (route, handler) => addRoute(app, { keeper, addressOf, bodyLimitOf }, route, handler)
  authRoutes(parts, add)
  userRoutes(parts, add)
  roomRoutes(parts, add)
  extensionRoutes(parts, add)
  jobRoutes(parts, add)
  manyJobsRoutes(parts, add)
  workerRoutes(parts, add)
  lockRoutes(parts, add)
  auditRoutes(parts, add)
  systemRoutes(app, system, add)
  placementRoutes(parts, add)
  overviewRoutes(parts, add)
}
