// Who did what, to what, and how it went.

import { type AuditPage, type AuditQuery, routes } from '@millrace/protocol'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'
import { serverNow } from '../connection/server-clock.ts'
import { useStirred } from '../connection/stir.ts'

export interface AuditFilter {
  readonly actor?: string
  readonly action?: string
  readonly room?: string
  /** Of the last so many ms. */
  readonly within?: number
}

const auditKey = ['audit'] as const
const movesMs = 2_000
const pageSize = 100

export function useAudit(
  filter: AuditFilter,
): UseInfiniteQueryResult<InfiniteData<AuditPage, string | undefined>> {
  useStirred(auditKey, movesMs)
  return useInfiniteQuery({
    queryKey: [...auditKey, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...queryOf(filter),
        limit: pageSize,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }
      return call(routes.listAudit, { query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor,
    refetchOnMount: 'always',
  })
}

function queryOf({ within, ...rest }: AuditFilter): AuditQuery {
  return within === undefined ? rest : { ...rest, since: Math.floor(serverNow()) - within }
}
