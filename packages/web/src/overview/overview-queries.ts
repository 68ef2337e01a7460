// What the overview asks. Figures move with jobs; a series has a new point when its step is over, and only that is fetched.

import { type Overview, routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { useStirred } from '../connection/stir.ts'
import { mergeSeries, type Series, type Span, sinceOf } from './series-points.ts'

const movesMs = 1_500

export function useOverview(): UseQueryResult<Overview> {
  useStirred(['overview'], movesMs)
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => call(routes.getOverview, { signal }),
    refetchOnMount: 'always',
  })
}

const stepMs: Readonly<Record<Span, number>> = { hour: 10_000, week: 600_000 }

export function useSeries(span: Span, room: string | null): UseQueryResult<Series> {
  const client = useQueryClient()
  const queryKey = ['series', span, room]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Series>(queryKey)
      const since = before && sinceOf(before)
      const query = { span, ...(room !== null && { room }), ...(since !== undefined && { since }) }
      return mergeSeries(before, await call(routes.getSeries, { query, signal }))
    },
    refetchOnMount: 'always',
    refetchInterval: stepMs[span],
  })
}
