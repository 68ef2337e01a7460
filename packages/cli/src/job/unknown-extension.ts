// A filter that names an extension nobody knows finds no jobs, as does one that is right; a slip is told from that.

import type { Session } from '../command.ts'
import { roomOf } from '../connection/target.ts'
import { nameOf } from '../extension/find-extension.ts'
import type { JobFilter } from './job-filter.ts'

/** For a filter that found nothing. Of an extension that is gone there may still be jobs. */
export async function warnOfUnknown(
  { api, target, terminal }: Session,
  { extension: name, category }: JobFilter,
): Promise<void> {
  if (name === undefined) return
  const params = { room: roomOf(target) }
  const query = { extension: name, ...(category !== undefined && { category }), limit: 1 }
  const [{ extensions }, { jobs }, { jobs: latest }] = await Promise.all([
    api.ask('GET /api/rooms/{room}/extensions', { params }),
    api.ask('GET /api/rooms/{room}/jobs', { params, query }),
    api.ask('GET /api/rooms/{room}/jobs', { params, query: { limit: 100 } }),
  ])
  const written = (one: Parameters<typeof nameOf>[0]): string =>
    category === undefined ? one.name : nameOf(one)
  const known = [
    ...extensions.map(written),
    ...latest.map((job) => written({ category: job.category, name: job.extension })),
  ]
  const named = written({ category: category ?? '', name })
  if (jobs.length > 0 || known.includes(named)) return
  const { nearestName } = await import('@millrace/server/nearest-name')
  const near = nearestName(named, known)
  terminal.warn(`no extension called ${named}${near === null ? '' : `; did you mean ${near}?`}`)
}
