// Cancelling and retrying many jobs at once: counted first, then done room by room, and in as many steps as the
// server wants it in.

import { type ManyDone, routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'
import { serverNow } from '../connection/server-clock.ts'
import { type JobFilter, queryOfFilter } from './job-filter.ts'

export type ManyVerb = 'cancel' | 'retry'

interface ManyAsk {
  readonly verb: ManyVerb
  readonly rooms: readonly string[]
  readonly filter: JobFilter
  readonly dryRun: boolean
}

export interface ManyTotal extends ManyDone {
  /** Where any were found. */
  readonly rooms: readonly string[]
}

export async function manyJobs({ verb, rooms, filter, dryRun }: ManyAsk): Promise<ManyTotal> {
  const body = { filter: queryOfFilter(filter, serverNow()), dryRun }
  const route = verb === 'cancel' ? routes.cancelJobs : routes.retryJobs
  const total = { matched: 0, done: 0, refused: [] as ManyDone['refused'][number][] }
  const found = new Set<string>()
  for (const room of rooms) {
    let cursor: string | undefined
    do {
      const step = await call(route, {
        params: { room },
        body: { ...body, ...(cursor !== undefined && { cursor }) },
      })
      total.matched += step.matched
      if (step.matched > 0) found.add(room)
      total.done += step.done
      total.refused.push(...step.refused)
      cursor = step.next
    } while (cursor !== undefined)
  }
  return { ...total, rooms: [...found] }
}

/** How many of those that were counted can be acted on. */
export function actable({ matched, refused }: ManyDone): number {
  return Math.max(0, matched - refused.length)
}
