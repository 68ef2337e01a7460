// What the Extensions page asks: what each room has to offer, and how it does.

import { type ExtensionDetail, routes } from '@millrace/protocol'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../connection/api.ts'
import { useStirred } from '../connection/stir.ts'
import type { BreakerView } from './breaker.ts'
import { type ExtensionSum, type ListedIn, type RoomFigures, sumExtensions } from './extension-sums.ts'

/** Rooms are asked one by one; extensions of further rooms are listed when they have figures. */
const roomsAsked = 50
const movesMs = 1_500
/** Of what there is, little changes when jobs move. */
const listsMoveMs = 5_000

export interface SeenExtensions {
  readonly sums: readonly ExtensionSum[]
  readonly isPending: boolean
  readonly error: Error | null
  readonly refetch: () => void
}

export function useExtensionSums(rooms: readonly string[] | undefined): SeenExtensions {
  useStirred(['extension-figures'], movesMs)
  useStirred(['extension-lists'], listsMoveMs)
  const figures = useQuery({
    queryKey: ['extension-figures'],
    queryFn: async ({ signal }): Promise<readonly RoomFigures[]> =>
      (await call(routes.extensionsOverview, { signal })).extensions,
    refetchOnMount: 'always',
  })
  const listed = useQueries({
    queries: (rooms ?? []).slice(0, roomsAsked).map((room) => ({
      queryKey: ['extension-lists', room],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await call(routes.listExtensions, { params: { room }, signal })).extensions,
    })),
    combine: (answers) => ({
      isPending: answers.some((one) => one.isPending),
      error: answers.find((one) => one.error)?.error ?? null,
      lists: answers.map(({ data }) => data),
    }),
  })
  const sums = useMemo(() => {
    const inRooms = listed.lists.flatMap((list, at): ListedIn[] =>
      (list ?? []).map((one) => ({ ...one, room: rooms?.[at] ?? '' })),
    )
    return sumExtensions(inRooms, figures.data ?? [])
  }, [listed.lists, figures.data, rooms])
  return {
    sums,
    isPending: rooms === undefined || listed.isPending || figures.isPending,
    error: figures.error ?? listed.error,
    refetch: () => void figures.refetch(),
  }
}

export type Detail = ExtensionDetail & { readonly breaker?: BreakerView }

export const detailKey = ({ via, key }: ExtensionSum): readonly string[] => [
  'extension-lists',
  via,
  'detail',
  key,
]

export function useExtensionDetail(sum: ExtensionSum): UseQueryResult<Detail> {
  const { via: room, scope, category, name } = sum
  return useQuery({
    queryKey: detailKey(sum),
    queryFn: ({ signal }): Promise<Detail> =>
      call(routes.getExtension, { params: { room, scope, category, name }, signal }),
    refetchOnMount: 'always',
  })
}
