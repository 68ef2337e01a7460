// Tokens that were made for workers and still hold.

import { routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { callByPath } from '../connection/api.ts'

export interface KeptToken {
  readonly id: string
  /** Null for a pool's. */
  readonly room: string | null
  readonly madeBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

interface TokensPage {
  readonly tokens: readonly KeptToken[]
  readonly cursor?: string
}

export const tokensKey = ['tokens'] as const

/** Nobody looks further through tokens than this. */
const pagesAtMost = 20

export function useTokens(): UseQueryResult<readonly KeptToken[]> {
  return useQuery({
    queryKey: tokensKey,
    queryFn: async ({ signal }) => {
      const tokens: KeptToken[] = []
      let cursor: string | undefined
      for (let pages = 0; pages < pagesAtMost; pages += 1) {
        const page = (await callByPath('GET', routes.createToken.path, {
          query: { cursor },
          signal,
        })) as TokensPage
        tokens.push(...page.tokens)
        cursor = page.cursor
        if (cursor === undefined) break
      }
      return tokens
    },
    refetchOnMount: 'always',
  })
}
