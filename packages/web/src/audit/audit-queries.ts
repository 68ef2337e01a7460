// Who did what, to what, and how it went.

import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { callByPath } from '../connection/api.ts'
import { serverNow } from '../connection/server-clock.ts'
import { useStirred } from '../connection/stir.ts'

export interface AuditEntry {
  readonly id: string
  readonly at: number
  /** Null: nobody who is known, or the server's own configuration. */
  readonly actor: string | null
  readonly role: string | null
  readonly action: string
  readonly target: string
  readonly room: string | null
  /** Begun: about many jobs, and not come to its end. */
  readonly outcome: 'done' | 'begun' | 'refused'
  readonly details: Readonly<Record<string, string | number | boolean | null>>
}

interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly cursor?: string
}

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
    queryFn: async ({ pageParam, signal }) =>
      (await callByPath('GET', '/api/audit', {
        query: { ...queryOf(filter), limit: pageSize, cursor: pageParam },
        signal,
      })) as AuditPage,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor,
    refetchOnMount: 'always',
  })
}

function queryOf({ within, ...rest }: AuditFilter): Readonly<Record<string, unknown>> {
  return within === undefined ? rest : { ...rest, since: Math.floor(serverNow()) - within }
}
