// Finds a job by its whole id in whichever of the rooms it lies: the server lists jobs by the instant they were made at,
// and an id begins with it.

import { type JobSummary, routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'
import { createdAtOf } from './job-row.ts'

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What was typed as the id of a job; null when it is none. */
export function idIn(typed: string): string | null {
  const id = typed.trim().toLowerCase()
  return wholeId.test(id) && createdAtOf(id) !== null ? id : null
}

export async function findJob(id: string, signal: AbortSignal): Promise<JobSummary | null> {
  const since = createdAtOf(id) ?? 0
  let cursor: string | undefined
  do {
    const query = { since, until: since + 1, limit: 500, ...(cursor !== undefined && { cursor }) }
    const page = await call(routes.listAllJobs, { query, signal })
    const found = page.jobs.find((job) => job.id === id)
    if (found) return found
    cursor = page.cursor
  } while (cursor !== undefined)
  return null
}
