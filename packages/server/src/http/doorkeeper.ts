// Looks at the credential of a request before anything else does, and at whether there is room for what it asks.

import type { IncomingHttpHeaders } from 'node:http'
import type { Identity, Refusal } from '@millrace/domain'
import { type Access, type Route, routes } from '@millrace/protocol'
import type { Credentials } from '../credential/credentials.ts'
import type { EdgeLimits } from '../limits/edge-limits.ts'
import { overrunOf } from '../limits/overrun-of.ts'
import { refusedHere } from '../refusal/problem-of.ts'
import { type BodyLimitOf, bodyBytes } from './body-limits.ts'

export interface DoorkeeperParts {
  readonly credentials: Credentials
  readonly edge: EdgeLimits
  readonly bodyLimitOf: BodyLimitOf
  readonly now: () => number
}

/** What brings new jobs. */
const intakeRoutes = new Set<Route>([
  routes.submitJob,
  routes.submitToExtension,
  routes.submitManyToExtension,
  routes.retryJob,
])

export class Doorkeeper {
  readonly #parts: DoorkeeperParts

  constructor(parts: DoorkeeperParts) {
    this.#parts = parts
  }

  async admit(route: Route, headers: IncomingHttpHeaders): Promise<Identity | Refusal> {
    const who = await this.#identify(route.access, headers.authorization)
    if ('refused' in who) return who
    const { edge, bodyLimitOf, now } = this.#parts
    const limit = bodyLimitOf(route)
    // What is larger than its route takes is refused, but a part of it has come before the connection is closed.
    const bytes = Math.min(bodyBytes(headers) ?? limit, limit)
    const overrun = await overrunOf(edge, who, { bytes, bringsJobs: intakeRoutes.has(route) }, now())
    return overrun ?? who
  }

  async #identify(access: Access, authorization: string | undefined): Promise<Identity | Refusal> {
    if (authorization === undefined) return refusedHere('credential_missing')
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
    if (token === undefined) return refusedHere('credential_invalid')
    const who = await this.#parts.credentials.verify(token)
    if ('refused' in who) return who
    if (access === 'worker') return who
    if (who.role === 'pool') return refusedHere('pool_forbidden')
    if (access === 'token') return who
    if (who.onlyRoom !== undefined) return refusedHere('session_required')
    if (access === 'admin' && who.role !== 'admin') return refusedHere('admin_required')
    return who
  }
}
