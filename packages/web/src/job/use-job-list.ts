// A list of jobs that stays true: pages that are fetched as one scrolls, and what has come since, which waits beside them.

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { freshKey, type JobPages, jobListKey } from './job-cache.ts'
import type { JobFilter } from './job-filter.ts'
import { unshown, withFresh, withoutStrays } from './job-pages.ts'
import { useJobPages } from './job-queries.ts'
import type { JobRow } from './job-row.ts'

export interface JobList {
  readonly room: string | null
  readonly filter: JobFilter
  readonly rows: readonly JobRow[]
  readonly query: UseInfiniteQueryResult<JobPages>
  /** How many jobs were looked at for what is shown. */
  readonly looked: number
}

const none: readonly JobRow[] = []

export function useJobList(room: string | null, filter: JobFilter, limit: number): JobList {
  const query = useJobPages(room, filter, limit)
  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap(({ jobs }) => jobs) ?? none, [pages])
  const looked = useMemo(() => pages?.reduce((sum, page) => sum + page.looked, 0) ?? 0, [pages])
  return { room, filter, rows, query, looked }
}

export interface Fresh {
  /** How many have come that are not shown yet. */
  readonly count: number
  show(): void
}

/** Apart from the list itself: while many come, only their number is drawn anew. */
export function useFresh({ room, filter, query }: Pick<JobList, 'room' | 'filter' | 'query'>): Fresh {
  const client = useQueryClient()
  const shown = query.data?.pages[0]?.jobs ?? none
  const { data: count = 0 } = useQuery<readonly JobRow[], Error, number>({
    queryKey: freshKey(room, filter),
    queryFn: () => none,
    enabled: false,
    initialData: none,
    structuralSharing: false,
    select: (rows) => unshown(shown, rows).length,
  })
  const show = useCallback((): void => {
    const waiting = client.getQueryData<readonly JobRow[]>(freshKey(room, filter)) ?? none
    client.setQueryData(freshKey(room, filter), none)
    client.setQueryData<JobPages>(jobListKey(room, filter), (data) => {
      if (!data) return data
      const [first, ...rest] = withoutStrays(data.pages, filter)
      if (!first) return data
      return { ...data, pages: [{ ...first, jobs: withFresh(first.jobs, waiting) }, ...rest] }
    })
  }, [client, room, filter])
  return { count, show }
}
