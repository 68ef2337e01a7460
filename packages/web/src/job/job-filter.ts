// Which jobs a list shows: what stands in the address bar, what the server is asked, and whether a row that arrives by an
// event belongs to it.

import type { JobStatus, JobsQuery } from '@millrace/protocol'
import type { JobPatch, JobRow } from './job-row.ts'

export interface JobFilter {
  readonly status?: readonly JobStatus[]
  readonly category?: string
  readonly extension?: string
  readonly submitter?: string
  readonly search?: string
  readonly deadLetters?: true
  /** Of the last so many ms. */
  readonly within?: number
}

const statuses: readonly JobStatus[] = ['pending', 'assigned', 'running', 'completed', 'failed', 'cancelled']

export function filterOfSearch(search: Readonly<Record<string, unknown>>): JobFilter {
  const text = (name: string): string | undefined => {
    const value = search[name]
    return value === undefined || value === '' ? undefined : String(value)
  }
  const status = text('status')
    ?.split(',')
    .filter((word): word is JobStatus => statuses.some((known) => known === word))
  const within = Number(text('within'))
  return withoutUndefined({
    status: status && status.length > 0 ? status : undefined,
    category: text('category'),
    extension: text('extension'),
    submitter: text('submitter'),
    search: text('search'),
    deadLetters: text('deadLetters') === 'true' ? true : undefined,
    within: Number.isFinite(within) && within > 0 ? within : undefined,
  })
}

export function searchOfFilter({ status, ...rest }: JobFilter): Record<string, string> {
  const entries = Object.entries({ status: status?.join(','), ...rest })
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))
}

export function queryOfFilter({ status, within, ...rest }: JobFilter, now: number): JobsQuery {
  return {
    ...rest,
    ...(status && { status: status.join(',') }),
    ...(within !== undefined && { since: now - within }),
  }
}

/** Whether a job that was heard of belongs to the list; null where only the server can say. */
export function matches(filter: JobFilter, row: JobRow): boolean | null {
  const { status, category, extension, submitter, search, deadLetters } = filter
  if (status && !status.includes(row.status)) return false
  if (category !== undefined && category !== row.category) return false
  if (extension !== undefined && extension !== row.extension) return false
  if (submitter !== undefined && submitter !== row.submitter) return false
  if (deadLetters && row.status !== 'failed') return false
  return search === undefined && deadLetters === undefined ? true : null
}

/** Whether a row that was listed no longer belongs there. */
export function isStray(filter: JobFilter, row: JobRow): boolean {
  return matches(filter, row) === false
}

/** Whether only the server can say if a job that moved has come to belong; of one that is unknown no row is there. */
export function mayHaveCome(
  filter: JobFilter,
  row: JobRow | undefined,
  patches: readonly Pick<JobPatch, 'status' | 'category'>[],
): boolean {
  const { status, deadLetters } = filter
  const now = patches.at(-1)?.status
  if (now === undefined || (status && !status.includes(now)) || (deadLetters && now !== 'failed'))
    return false
  // Without these a job belongs from its submit on, or never.
  const canCome = status !== undefined || deadLetters !== undefined
  if (!row) return canCome
  const isNew = patches.some(({ category }) => category !== undefined)
  return (canCome || isNew) && matches(filter, row) === null
}

export function isFiltered(filter: JobFilter): boolean {
  return Object.keys(filter).length > 0
}

type Without<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

function withoutUndefined<Fields extends object>(fields: Fields): Without<Fields> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as Without<Fields>
}
