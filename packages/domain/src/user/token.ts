// Whether a token whose signature holds still says who asks. A token only names its user: role and existence are those
// of the account as it is now, so a change reaches tokens that are already out.

import type { RoomName, UserName } from '../ids.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import type { User } from './user.ts'
import { isGuestName, poolUser } from './user-name.ts'

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
  /** The admin who made a pool's token; absent for the pool that the server runs itself. */
  readonly maker?: UserName
}

export interface Identity extends Caller {
  readonly maker?: UserName
  readonly tokenId: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly accountFrom: number
}

export interface TokenSurroundings {
  /** The account of the token's user, or of the maker of a pool's token, if there is one. */
  readonly account: User | null
  readonly revoked: boolean
  readonly guests: boolean
}

export function admitToken(claims: TokenClaims, around: TokenSurroundings, now: number): Identity | Refusal {
  if (now >= claims.expiresAt) return refuse('credential_expired')
  if (around.revoked) return refuse('credential_revoked')
  if (claims.role === 'guest') return admitGuest(claims, around.guests)
  if (claims.role === 'pool') return admitPool(claims, around.account)
  const account = unchangedAccount(claims, around.account)
  return isRefusal(account) ? account : identityOf(claims, account.role)
}

function unchangedAccount(claims: TokenClaims, account: User | null): User | Refusal {
  if (account === null) return refuse('credential_revoked', 'The account of this credential does not exist.')
  // Compared for equality and not by time: a token made from an account that changed meanwhile is void however late.
  if (claims.accountFrom !== account.tokensFrom) {
    return refuse('credential_revoked', 'The account was changed since this credential was asked for.')
  }
  return account
}

/** A guest's name cannot be an account's, so a guest never speaks for a user. */
function admitGuest(claims: TokenClaims, guests: boolean): Identity | Refusal {
  if (!isGuestName(claims.user)) return refuse('credential_invalid')
  if (!guests) return refuse('credential_revoked', 'Guests are not admitted any more.')
  return identityOf(claims, 'guest')
}

/** A pool has no account. What an admin made goes with the admin's own tokens: whoever stole one could have made it. */
function admitPool(claims: TokenClaims, makersAccount: User | null): Identity | Refusal {
  if (claims.user !== poolUser) return refuse('credential_invalid')
  if (claims.maker === undefined) return identityOf(claims, 'pool')
  const maker = unchangedAccount(claims, makersAccount)
  if (isRefusal(maker)) return maker
  return maker.role === 'admin'
    ? { ...identityOf(claims, 'pool'), maker: maker.name }
    : refuse('credential_revoked', 'Who made this credential is no admin any more.')
}

/** Whoever has one runs code for every room, so it is an admin's to give, and not with a token that is less than a session. */
export function poolTokenRefusal({ role, onlyRoom }: Caller): Refusal | null {
  return role === 'admin' && onlyRoom === undefined ? null : refuse('admin_required')
}

function identityOf(claims: TokenClaims, role: UserRole): Identity {
  const { id, user, issuedAt, expiresAt, accountFrom, room } = claims
  const who = { user, role, tokenId: id, issuedAt, expiresAt, accountFrom }
  return room === undefined ? who : { ...who, onlyRoom: room }
}
