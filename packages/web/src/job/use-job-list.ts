// A list of jobs that stays true: pages that are fetched as one scrolls, and what has come since, which is shown when
// somebody wants it or, in a list that follows, by itself.

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { freshKey, type JobPages, jobListKey } from './job-cache.ts'
import type { JobFilter } from './job-filter.ts'
import { withFresh } from './job-pages.ts'
import { useJobPages } from './job-queries.ts'
import type { JobRow } from './job-row.ts'

export interface JobList {
  readonly rows: readonly JobRow[]
  /** How many have come that are not shown yet. */
  readonly fresh: number
  showFresh(): void
  readonly query: UseInfiniteQueryResult<JobPages>
  /** How many jobs were looked at for what is shown. */
  readonly looked: number
}

interface ListOptions {
  readonly limit: number
  /** New rows appear by themselves: only where nobody is about to click on another. */
  readonly follows: boolean
}

const none: readonly JobRow[] = []

export function useJobList(room: string | null, filter: JobFilter, { limit, follows }: ListOptions): JobList {
  const client = useQueryClient()
  const query = useJobPages(room, filter, limit)
  const pages = query.data?.pages
  const { data: fresh = none } = useQuery<readonly JobRow[]>({
    queryKey: freshKey(room, filter),
    queryFn: () => none,
    enabled: false,
    initialData: none,
  })
  const rows = useMemo(() => pages?.flatMap(({ jobs }) => jobs) ?? none, [pages])
  const looked = useMemo(() => pages?.reduce((sum, page) => sum + page.looked, 0) ?? 0, [pages])

  const showFresh = useCallback((): void => {
    const waiting = client.getQueryData<readonly JobRow[]>(freshKey(room, filter)) ?? none
    client.setQueryData(freshKey(room, filter), none)
    client.setQueryData<JobPages>(jobListKey(room, filter), (data) => {
      const [first, ...rest] = data?.pages ?? []
      if (!data || !first) return data
      return { ...data, pages: [{ ...first, jobs: withFresh(first.jobs, waiting) }, ...rest] }
    })
  }, [client, room, filter])
  useEffect(() => {
    if (follows && fresh.length > 0) showFresh()
  }, [follows, fresh, showFresh])
  return { rows, fresh: follows ? 0 : fresh.length, showFresh, query, looked }
}
