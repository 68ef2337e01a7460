// Jobs across the rooms that somebody may see.

import { type Caller, mayRead } from '@millrace/domain'
import { type JobsPage, type JobsQuery, listJobs } from '../job/list-jobs.ts'
import type { Store } from '../ports/store.ts'
import type { Rooms } from './rooms.ts'

/** Pages of jobs the caller may not see are walked over, but not for ever: a page then ends early and says so. */
const pagesAtMost = 20

export async function visibleJobs(
  { store, rooms }: { readonly store: Store; readonly rooms: Rooms },
  who: Caller,
  query: Omit<JobsQuery, 'room'>,
): Promise<JobsPage> {
  const jobs: JobsPage['jobs'][number][] = []
  let [looked, cursor] = [0, query.cursor]
  for (let pages = 0; pages < pagesAtMost; pages++) {
    const from = cursor === undefined ? {} : { cursor }
    const page = await listJobs(store, { ...query, ...from, room: null, limit: query.limit - jobs.length })
    for (const job of page.jobs) {
      const room = await rooms.get(job.submission.room)
      if (room && mayRead(room.value, who)) jobs.push(job)
    }
    looked += page.looked
    cursor = page.cursor
    if (cursor === undefined || jobs.length === query.limit) break
  }
  return { jobs, looked, ...(cursor !== undefined && { cursor }) }
}
