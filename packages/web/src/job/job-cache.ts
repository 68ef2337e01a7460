// Brings what the feed says about jobs into what has been fetched: lists in place, what is new beside them, and a job that
// is looked at by fetching it again.

import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { atMostEvery, type Spaced } from '../connection/at-most-every.ts'
import { fetchAnew } from '../connection/fetch-anew.ts'
import { jobJournal } from './fetch-jobs.ts'
import { findUnshown } from './find-unshown.ts'
import { type JobFilter, matches, mayHaveCome } from './job-filter.ts'
import type { JobListPage } from './job-list-page.ts'
import {
  isBelow,
  newestFirst,
  type PatchesById,
  patchesById,
  patchPages,
  patchRows,
  rowOfPatches,
  unshown,
} from './job-pages.ts'
import type { JobPatch, JobRow } from './job-row.ts'

export type JobPages = InfiniteData<JobListPage, string | undefined>

type ListKey<Kind> = readonly [kind: Kind, room: string | null, filter: JobFilter]

export const jobListKey = (room: string | null, filter: JobFilter): ListKey<'jobs'> => ['jobs', room, filter]
export const freshKey = (room: string | null, filter: JobFilter): ListKey<'fresh'> => ['fresh', room, filter]
export const jobKey = (room: string, id: string): readonly string[] => ['job', room, id]

/** Only the first event of a job says what it is; those that follow would mean nothing without it. */
const heardOf = new Map<string, JobRow>()
const mostHeardOf = 20_000

export function applyJobPatches(client: QueryClient, patches: readonly JobPatch[]): void {
  jobJournal.note(patches)
  const byId = patchesById(patches)
  const rows = new Map<string, JobRow>()
  for (const [id, own] of byId) {
    const row = rowOfPatches(heardOf.get(id), own)
    if (row) rows.set(id, row)
  }
  remember(rows)
  const lists = client.getQueryCache().findAll({ queryKey: ['jobs'] })
  for (const list of lists) applyToList(client, list as unknown as ListQuery, byId, rows)
  for (const [id, own] of byId) lookAgain(client, own[0]?.room ?? '', id)
  countAgainSoon(client)
}

/** Positions and counts move with every job: they are asked for once after a while, however many moved. */
const countedAfterMs = 1_500
let isCounting = false

function countAgainSoon(client: QueryClient): void {
  if (isCounting) return
  isCounting = true
  setTimeout(() => {
    isCounting = false
    for (const kind of ['why', 'stats', 'extensions']) {
      void client.invalidateQueries({ queryKey: [kind], type: 'active' }, { cancelRefetch: false })
    }
  }, countedAfterMs)
}

const none: readonly JobRow[] = []

type ListQuery = Query<JobPages, Error, JobPages, ListKey<'jobs'>>

function applyToList(
  client: QueryClient,
  list: ListQuery,
  byId: PatchesById,
  rows: ReadonlyMap<string, JobRow>,
): void {
  const { data } = list.state
  if (!data) return
  const [, room, filter] = list.queryKey
  const key = freshKey(room, filter)
  // Nobody looks at it: it is fetched when somebody does, with what waited beside it.
  if (!list.isActive()) {
    list.invalidate()
    client.removeQueries({ queryKey: key, exact: true })
    return
  }
  const { pages, seen } = patchPages(data.pages, byId)
  if (pages !== data.pages) client.setQueryData(list.queryKey, { ...data, pages: [...pages] })
  const fresh = client.getQueryData<readonly JobRow[]>(key) ?? none
  const patched = patchRows(fresh, byId)
  const waiting = patched === fresh ? fresh : patched.filter((row) => matches(filter, row) !== false)
  const known = new Set(fresh.map(({ id }) => id))
  const added: JobRow[] = []
  let isOpen = false
  for (const [id, own] of byId) {
    if (seen.has(id) || known.has(id) || (room !== null && own[0]?.room !== room)) continue
    const row = rows.get(id)
    if (row && matches(filter, row) === true) added.push(row)
    else isOpen ||= mayHaveCome(filter, row, own)
  }
  addFresh(client, list, added, waiting)
  if (isOpen) askAgain(client, list)
}

function addFresh(
  client: QueryClient,
  { queryKey: [, room, filter], state }: ListQuery,
  added: readonly JobRow[],
  waiting: readonly JobRow[],
): void {
  const key = freshKey(room, filter)
  const above = added.filter((row) => !isBelow(state.data?.pages ?? [], row))
  if (above.length === 0 && waiting === (client.getQueryData(key) ?? none)) return
  client.setQueryData(key, [...above.toSorted(newestFirst), ...waiting])
}

const askedEveryMs = 2_000
const asking = new WeakMap<ListQuery, Spaced>()

/** At once and, as a list may be read from a copy that lags behind the feed, once more after a while. */
function askAgain(client: QueryClient, list: ListQuery): void {
  const spaced = asking.get(list) ?? atMostEvery(askedEveryMs, () => void ask(client, list))
  asking.set(list, spaced)
  spaced.call()
  spaced.call()
}

async function ask(client: QueryClient, list: ListQuery): Promise<void> {
  if (!list.isActive()) return
  const [, room, filter] = list.queryKey
  const shown = (): readonly JobRow[] => list.state.data?.pages.flatMap(({ jobs }) => jobs) ?? none
  const found = await findUnshown(room, filter, shown)
  const fresh = client.getQueryData<readonly JobRow[]>(freshKey(room, filter)) ?? none
  addFresh(client, list, unshown(fresh, found), fresh)
}

function remember(rows: ReadonlyMap<string, JobRow>): void {
  for (const [id, row] of rows) {
    heardOf.delete(id)
    heardOf.set(id, row)
  }
  for (const id of heardOf.keys()) {
    if (heardOf.size <= mostHeardOf) return
    heardOf.delete(id)
  }
}

/** What a job's page shows is more than events say. */
function lookAgain(client: QueryClient, room: string, id: string): void {
  if (!client.getQueryCache().find({ queryKey: jobKey(room, id) })) return
  for (const key of [jobKey(room, id), ['job-events', room, id], ['why', room, id]]) {
    void fetchAnew(client, { queryKey: key })
  }
}

export interface Progressed {
  readonly room: string
  readonly id: string
  readonly fraction: number
  readonly message?: string | undefined
  readonly at: number
}

export function applyProgress(client: QueryClient, told: readonly Progressed[]): void {
  const latest = new Map(told.map((each) => [each.id, each]))
  const withProgress = <Row extends JobRow>(row: Row): Row => {
    const one = latest.get(row.id)
    if (!one || (row.status !== 'running' && row.status !== 'assigned')) return row
    const { fraction, message, at } = one
    return { ...row, progress: { fraction, at, ...(message !== undefined && { message }) } }
  }
  for (const list of client.getQueryCache().findAll({ queryKey: ['jobs'], type: 'active' })) {
    const data = list.state.data as JobPages | undefined
    if (!data?.pages.some(({ jobs }) => jobs.some(({ id }) => latest.has(id)))) continue
    const pages = data.pages.map((page) => ({ ...page, jobs: page.jobs.map(withProgress) }))
    client.setQueryData(list.queryKey, { ...data, pages })
  }
  for (const { room, id } of latest.values()) {
    client.setQueryData<JobRow>(jobKey(room, id), (job) => job && withProgress(job))
  }
}
