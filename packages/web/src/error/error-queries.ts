// What went wrong, errors that are alike as one.

import { type ErrorGroup, routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { useStirred } from '../connection/stir.ts'

const movesMs = 2_000
const groupsShown = 100

export interface SeenErrors {
  readonly errors: readonly ErrorGroup[]
  readonly more: boolean
}

export function useErrors(room: string | null): UseQueryResult<SeenErrors> {
  useStirred(['errors', room], movesMs)
  return useQuery({
    queryKey: ['errors', room],
    queryFn: ({ signal }) =>
      call(routes.listErrors, { query: { limit: groupsShown, ...(room !== null && { room }) }, signal }),
    refetchOnMount: 'always',
  })
}
