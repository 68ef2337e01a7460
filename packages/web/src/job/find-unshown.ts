// Asks the server for what has come to match a list and is not shown there.

import { fetchJobs } from './fetch-jobs.ts'
import { type JobFilter, matches } from './job-filter.ts'
import { unshown } from './job-pages.ts'
import type { JobRow } from './job-row.ts'

const atLeast = 100
/** The server gives no more at once. */
const atMost = 500

/** Looks at as much as is shown. `shown` is asked again at the end: a fetch may have brought what was found. */
export async function findUnshown(
  room: string | null,
  filter: JobFilter,
  shown: () => readonly JobRow[],
): Promise<readonly JobRow[]> {
  const limit = Math.min(atMost, Math.max(atLeast, shown().length))
  try {
    const { jobs } = await fetchJobs(room, filter, { limit })
    const found = jobs.filter((row) => matches(filter, row) !== false)
    return unshown(shown(), found)
  } catch {
    // A server that does not answer is asked for everything when it is back.
    return []
  }
}
