// Cancelling and running again of many jobs of a room at once: counted first, then done in as many steps as the server
// wants it in.

import { type ManyDone, routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'
import { serverNow } from '../connection/server-clock.ts'
import { type JobFilter, queryOfFilter } from './job-filter.ts'

export type ManyVerb = 'cancel' | 'retry'

interface ManyAsk {
  readonly verb: ManyVerb
  readonly room: string
  readonly filter: JobFilter
  readonly dryRun: boolean
}

/** All of them, step by step; `onStep` hears how many have been met so far. */
export async function manyJobs(ask: ManyAsk, onStep?: (matched: number) => void): Promise<ManyDone> {
  const { verb, room, filter, dryRun } = ask
  const body = { filter: queryOfFilter(filter, serverNow()), dryRun }
  const route = verb === 'cancel' ? routes.cancelJobs : routes.retryJobs
  const total = { matched: 0, done: 0, refused: [] as ManyDone['refused'][number][] }
  let cursor: string | undefined
  do {
    const step = await call(route, {
      params: { room },
      body: { ...body, ...(cursor !== undefined && { cursor }) },
    })
    total.matched += step.matched
    total.done += step.done
    total.refused.push(...step.refused)
    cursor = step.next
    onStep?.(total.matched)
  } while (cursor !== undefined)
  return total
}
