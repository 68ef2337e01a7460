// Tokens for pools: the one the server mints for its own, and those that admins make for pools elsewhere.

import { type Identity, poolTokenRefusal, type Refusal } from '@millrace/domain'
import type { IssuedToken } from './credentials.ts'
import { keepToken, type TokenParts } from './room-token.ts'

/** Its pool asks for another at every reconnect, and its sockets are cut when it expires. */
const ownPoolSeconds = 24 * 3_600

/** For a pool on a machine that somebody set up and left; the route that makes them has the bound. */
const poolElsewhereSeconds = 30 * 24 * 3_600

/** Not kept on record: nobody but the server has it, and a new secret ends it as it ends all others. */
export function mintPoolToken({ credentials }: TokenParts): Promise<IssuedToken> {
  return credentials.issuePoolToken(null, ownPoolSeconds)
}

export async function createPoolToken(
  parts: TokenParts,
  who: Identity,
  ttlSeconds: number = poolElsewhereSeconds,
): Promise<IssuedToken | Refusal> {
  const refusal = poolTokenRefusal(who)
  if (refusal !== null) return refusal

  const issued = await parts.credentials.issuePoolToken(who, ttlSeconds)
  await keepToken(parts, who, issued)

  return issued
}
