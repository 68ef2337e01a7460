// Tokens as JWTs signed with HS256. The algorithm is pinned: a token that names another, or none, is not ours.

import { createSecretKey } from 'node:crypto'
import type { RoomName, TokenClaims, UserName, UserRole } from '@millrace/domain'
import { CompactSign, compactVerify } from 'jose'
import type { TokenSigner } from '../ports/token-signer.ts'

const algorithm = 'HS256'
const roles: readonly unknown[] = ['guest', 'user', 'admin', 'pool'] satisfies readonly UserRole[]

// Ours have a few hundred characters; a longer one is not worth hashing.
const maxTokenLength = 4_096

/** NumericDate counts seconds and may have fractions; ours are whole milliseconds, which a double holds exactly enough. */
interface Payload {
  readonly sub: string
  readonly role: UserRole
  readonly jti: string
  readonly iat: number
  readonly exp: number
  readonly from: number
  readonly room?: string
  readonly by?: string
}

export function createJoseSigner(secret: Uint8Array): TokenSigner {
  const key = createSecretKey(secret)
  return {
    sign: (claims) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payloadOf(claims))))
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .sign(key),
    open: async (token) => {
      if (token.length > maxTokenLength) return null
      try {
        const { payload } = await compactVerify(token, key, { algorithms: [algorithm] })
        return claimsOf(JSON.parse(new TextDecoder().decode(payload)))
      } catch {
        // Whatever is wrong with it, it is not ours; why is nobody's business but its maker's.
        return null
      }
    },
  }
}

function payloadOf({ id, user, role, issuedAt, expiresAt, accountFrom, room, maker }: TokenClaims): Payload {
  const dates = { iat: issuedAt / 1_000, exp: expiresAt / 1_000, from: accountFrom / 1_000 }
  const payload = { sub: user, role, jti: id, ...dates }
  return { ...payload, ...(room !== undefined && { room }), ...(maker !== undefined && { by: maker }) }
}

function claimsOf(payload: unknown): TokenClaims | null {
  if (!isPayload(payload)) return null
  const { sub, role, jti, iat, exp, from, room, by } = payload
  const claims = {
    id: jti,
    user: sub as UserName,
    role,
    issuedAt: Math.round(iat * 1_000),
    expiresAt: Math.round(exp * 1_000),
    accountFrom: Math.round(from * 1_000),
  }
  return {
    ...claims,
    ...(room !== undefined && { room: room as RoomName }),
    ...(by !== undefined && { maker: by as UserName }),
  }
}

/** A secret may be shared with other programs that sign other things with it. */
function isPayload(payload: unknown): payload is Payload {
  if (typeof payload !== 'object' || payload === null) return false
  const { sub, role, jti, iat, exp, from, room, by } = payload as Record<string, unknown>
  const named = typeof sub === 'string' && typeof jti === 'string' && roles.includes(role)
  const dated = [iat, exp, from].every(Number.isFinite)
  const isTextOrAbsent = (part: unknown): boolean => part === undefined || typeof part === 'string'
  return named && dated && isTextOrAbsent(room) && isTextOrAbsent(by)
}
