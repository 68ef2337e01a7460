// Asks for a page of a list of jobs, and brings its answer up to date with what was heard meanwhile.

import { routes } from '@millrace/protocol'
import { call } from '../connection/api.ts'
import { PatchJournal } from '../connection/patch-journal.ts'
import { serverNow } from '../connection/server-clock.ts'
import { type JobFilter, queryOfFilter } from './job-filter.ts'
import type { JobListPage } from './job-list-page.ts'
import { patchesById, patchRows } from './job-pages.ts'
import type { JobPatch } from './job-row.ts'

export const jobJournal: PatchJournal<JobPatch> = new PatchJournal(() => Date.now())

export async function fetchJobs(
  room: string | null,
  filter: JobFilter,
  page: { readonly cursor?: string | undefined; readonly limit: number; readonly signal?: AbortSignal },
): Promise<JobListPage> {
  const { cursor, limit, signal } = page
  const query = { ...queryOfFilter(filter, serverNow()), limit, ...(cursor !== undefined && { cursor }) }
  return jobJournal.during<JobListPage>(
    () =>
      room === null
        ? call(routes.listAllJobs, { query, signal })
        : call(routes.listRoomJobs, { params: { room }, query, signal }),
    (answer, heard) => ({ ...answer, jobs: patchRows(answer.jobs, patchesById(heard)) }),
  )
}
