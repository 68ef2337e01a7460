// Whether a token whose signature holds still says who asks. A token only names its user: role and existence are those
// of the account as it is now, so a change reaches tokens that are already out.

import type { RoomName, UserName } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import type { User } from './user.ts'
import { isGuestName } from './user-name.ts'

export interface TokenClaims {
  readonly id: string
  readonly user: UserName
  /** What it was when the token was issued; it decides only whether a guest is meant. */
  readonly role: UserRole
  readonly issuedAt: number
  readonly expiresAt: number
  /** The `tokensFrom` of the account as it was when somebody proved to be its user; 0 for a guest. */
  readonly accountFrom: number
  /** Set for a worker's token. */
  readonly room?: RoomName
}

export interface Identity extends Caller {
  readonly tokenId: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly accountFrom: number
}

export interface TokenSurroundings {
  /** The account of the token's user, if there is one. */
  readonly account: User | null
  readonly revoked: boolean
  readonly guests: boolean
}

export function admitToken(claims: TokenClaims, around: TokenSurroundings, now: number): Identity | Refusal {
  if (now >= claims.expiresAt) return refuse('credential_expired')
  if (around.revoked) return refuse('credential_revoked')
  if (claims.role === 'guest') return admitGuest(claims, around.guests)
  const { account } = around
  if (account === null) return refuse('credential_revoked', 'The account of this credential does not exist.')
  // Compared for equality and not by time: a token made from an account that changed meanwhile is void however late.
  if (claims.accountFrom !== account.tokensFrom) {
    return refuse('credential_revoked', 'The account was changed since this credential was asked for.')
  }
  return identityOf(claims, account.role)
}

/** A guest's name cannot be an account's, so a guest never speaks for a user. */
function admitGuest(claims: TokenClaims, guests: boolean): Identity | Refusal {
  if (!isGuestName(claims.user)) return refuse('credential_invalid')
  if (!guests) return refuse('credential_revoked', 'Guests are not admitted any more.')
  return identityOf(claims, 'guest')
}

function identityOf(claims: TokenClaims, role: UserRole): Identity {
  const { id, user, issuedAt, expiresAt, accountFrom, room } = claims
  const who = { user, role, tokenId: id, issuedAt, expiresAt, accountFrom }
  return room === undefined ? who : { ...who, onlyRoom: room }
}
