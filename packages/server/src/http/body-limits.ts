// How large the body of each route may be. Eight megabytes where many jobs come at once would be eight megabytes to gather
// and look through at every other door too, for whoever likes to send them.

import type { IncomingHttpHeaders } from 'node:http'
import { type Route, routes } from '@millrace/protocol'

export type BodyLimitOf = (route: Route) => number

/** Far more than any body without jobs, results or schemas: a thousand ids are 130 kB. */
const otherMaxBytes = 1_000_000
/** What stands in a submit beside its data. */
const besideData = 100_000

/** What comes in lists: jobs, schemas and attempts, a result with a thousand lines. */
const wide = new Set<Route>([
  routes.submitManyToExtension,
  routes.registerWorker,
  routes.beatWorker,
  routes.reportStatus,
])
const single = new Set<Route>([routes.submitJob, routes.submitToExtension])

export interface BodySizes {
  readonly bulkMaxBytes: number
  readonly jobDataMaxBytes: number
}

export function widestBody({ bulkMaxBytes, jobDataMaxBytes }: BodySizes): number {
  return Math.max(bulkMaxBytes, submitMaxBytes(jobDataMaxBytes))
}

export function bodyLimits(sizes: BodySizes): BodyLimitOf {
  return (route) => {
    if (wide.has(route)) return widestBody(sizes)
    return single.has(route) ? submitMaxBytes(sizes.jobDataMaxBytes) : otherMaxBytes
  }
}

/** Data counts as the server writes it; with spaces and escapes it may come twice as long. */
function submitMaxBytes(jobDataMaxBytes: number): number {
  return 2 * jobDataMaxBytes + besideData
}

/** Of a request, as it says itself; null where it has a body and does not say. */
export function bodyBytes(headers: IncomingHttpHeaders): number | null {
  if (headers['transfer-encoding'] !== undefined) return null
  return Number(headers['content-length'] ?? 0)
}
