// Tokens that were made for workers and still hold.

import { type KeptToken, routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'

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
        const page = await call(routes.listTokens, { query: cursor === undefined ? {} : { cursor }, signal })
        tokens.push(...page.tokens)
        cursor = page.cursor
        if (cursor === undefined) break
      }
      return tokens
    },
    refetchOnMount: 'always',
  })
}
