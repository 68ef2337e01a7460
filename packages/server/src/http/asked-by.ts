// What a request asks for, for one that cannot be told whether it was done.

import { type Route, routes } from '@millrace/protocol'
import type { FastifyRequest } from 'fastify'
import type { Asked } from '../refusal/problem-of.ts'

export function askedBy({ method, routeOptions }: FastifyRequest): Asked {
  if (method === 'GET' || method === 'HEAD') return 'read'
  return method === 'POST' && submits.has(routeOptions.url ?? '') ? 'submit' : 'change'
}

/** As Fastify writes it. */
export function urlOf({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

const submits: ReadonlySet<string> = new Set(
  [routes.submitJob, routes.submitToExtension, routes.submitManyToExtension].map(urlOf),
)
