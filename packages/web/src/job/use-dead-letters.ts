// The dead letters that a filter finds, by pages; asked for again when jobs move.

import { type JobSummary, type JobsPage, routes } from '@millrace/protocol'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../connection/api.ts'
import { useStirred } from '../connection/stir.ts'
import type { LetterFilter } from './redrive.ts'

const movesMs = 2_000
const pageSize = 100

export interface DeadLetterList {
  readonly query: UseInfiniteQueryResult<InfiniteData<JobsPage>>
  readonly letters: readonly JobSummary[]
}

export const lettersKey = ['dead-letters'] as const

export function useDeadLetters(room: string | null, filter: LetterFilter): DeadLetterList {
  useStirred(lettersKey, movesMs)
  const query = useInfiniteQuery({
    queryKey: [...lettersKey, room, filter],
    queryFn: ({ pageParam, signal }) => fetchLetters(room, filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: JobsPage) => last.cursor,
    refetchOnMount: 'always',
  })
  const letters = useMemo(() => query.data?.pages.flatMap(({ jobs }) => jobs) ?? [], [query.data])
  return { query, letters }
}

function fetchLetters(
  room: string | null,
  filter: LetterFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<JobsPage> {
  const query = {
    ...filter,
    deadLetters: true,
    limit: pageSize,
    ...(cursor !== undefined && { cursor }),
  }
  return room === null
    ? call(routes.listAllJobs, { query, signal })
    : call(routes.listRoomJobs, { params: { room }, query, signal })
}
