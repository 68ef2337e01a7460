// The tokens that were made for workers and pools and still hold, newest first: never the tokens themselves, but what one
// needs to know whom to ask about them and which to revoke.

import { type Caller, isRefusal, type RoomName } from '@millrace/domain'
import { systemPartition } from '../user/user-record.ts'
import {
  type KeptToken,
  keptTokenOf,
  type TokenParts,
  tokenPrefix,
  tokensBy,
  tokensList,
  tokensOf,
} from './room-token.ts'

export interface TokensPage {
  readonly tokens: readonly KeptToken[]
  /** Absent on the last page. */
  readonly cursor?: string
}

const pageSize = 100

/** One's own; an admin's are everybody's. */
export function listTokens(parts: TokenParts, who: Caller, cursor?: string): Promise<TokensPage> {
  return pageOf(parts, who.role === 'admin' ? tokensList : tokensBy(who.user), cursor)
}

/** Of a room that the caller manages: whether that is so was decided at its door. */
export function listRoomTokens(parts: TokenParts, room: RoomName, cursor?: string): Promise<TokensPage> {
  return pageOf(parts, tokensOf(room), cursor)
}

async function pageOf(
  { store, credentials }: TokenParts,
  list: string,
  cursor?: string,
): Promise<TokensPage> {
  const records = await store.list({
    partition: systemPartition,
    lists: [list],
    order: 'newest',
    limit: pageSize,
    ...(cursor !== undefined && { before: `${tokenPrefix}${cursor}` }),
  })
  const kept = records.map(keptTokenOf)
  const admitted = await Promise.all(kept.map(({ claims }) => credentials.admit(claims)))

  const tokens = kept.filter((_, index) => !isRefusal(admitted[index]))
  const last = kept.at(-1)
  return records.length < pageSize || !last ? { tokens } : { tokens, cursor: last.claims.id }
}
