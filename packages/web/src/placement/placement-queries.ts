// What the picture of placement asks: the last pass, those before it in short, and one of them whole.

import { type PassSummary, type PlacementView, routes } from '@millrace/protocol'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { useStirred } from '../connection/stir.ts'
import { withoutIdle } from './trim-network.ts'

const pictureMovesMs = 700
const historyMovesMs = 2_000

/** Without a pass the last one, which moves on; a pass that is named stays as it was. */
export function usePlacement(pass: number | null): UseQueryResult<PlacementView> {
  useStirred(['placement', null], pictureMovesMs)
  return useQuery({
    queryKey: ['placement', pass],
    queryFn: ({ signal }) => call(routes.getPlacement, { query: pass === null ? {} : { pass }, signal }),
    select: withoutIdle,
    placeholderData: keepPreviousData,
    ...(pass === null && { refetchOnMount: 'always' as const }),
  })
}

export function usePasses(): UseQueryResult<readonly PassSummary[]> {
  useStirred(['passes'], historyMovesMs)
  return useQuery({
    queryKey: ['passes'],
    queryFn: async ({ signal }) => (await call(routes.placementHistory, { signal })).passes,
    refetchOnMount: 'always',
  })
}
