// Issues tokens, says who is behind one, and revokes them. A signature is checked once and remembered; whether the token
// was revoked and what its account is now is looked up each time, in memory that the feed keeps true.

import {
  admitToken,
  type Deed,
  guestName,
  type Identity,
  poolUser,
  type Refusal,
  type RoomName,
  refuse,
  type TokenClaims,
  type User,
  type UserName,
  type UserRole,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { RecordMemory } from '../memory/record-memory.ts'
import { newId } from '../new-id.ts'
import type { RandomCodes } from '../ports/random-codes.ts'
import type { Partition, RecordKey, Store } from '../ports/store.ts'
import type { TokenSigner } from '../ports/token-signer.ts'
import { systemPartition, type UserMemory, userKey } from '../user/user-record.ts'

export interface CredentialParts {
  readonly store: Store
  readonly users: UserMemory
  readonly signer: TokenSigner
  readonly codes: RandomCodes
  readonly guests: boolean
  readonly sessionTtlSeconds: number
}

export interface IssuedToken extends TokenClaims {
  readonly token: string
}

/** Of somebody who signed in, or came as a guest. */
export type SessionToken = IssuedToken & { readonly role: Exclude<UserRole, 'pool'> }

export const revokedPrefix = 'revoked/'

/** Only tokens whose signature held are remembered, so nobody fills this with inventions. */
const rememberedTokens = 10_000

export class Credentials {
  readonly #parts: CredentialParts
  readonly #revoked: RecordMemory<true>
  readonly #opened = new Map<string, TokenClaims>()

  constructor(parts: CredentialParts) {
    this.#parts = parts
    this.#revoked = new RecordMemory(parts.store, () => true)
  }

  /** Takes the account as it was when the password or code was checked: if it has changed since, the token is void. */
  issueSession({ name, role, tokensFrom }: User): Promise<SessionToken> {
    const claims = { user: name, role, accountFrom: tokensFrom }
    return this.#issue(claims, this.#parts.sessionTtlSeconds)
  }

  async issueGuest(): Promise<SessionToken | Refusal> {
    const { guests, codes, sessionTtlSeconds } = this.#parts
    if (!guests) return refuse('guests_off')
    const claims = { user: guestName(codes.letters(8)), role: 'guest', accountFrom: 0 } as const
    return this.#issue(claims, sessionTtlSeconds)
  }

  /** Whether the user may serve the room is for the caller to say: the room's rules stand in every request anyway. */
  issueWorkerToken(
    { user, role, accountFrom }: Pick<Identity, 'user' | 'role' | 'accountFrom'>,
    room: RoomName,
    ttlSeconds: number,
  ): Promise<IssuedToken> {
    return this.#issue({ user, role, accountFrom, room }, ttlSeconds)
  }

  /** `maker`: the admin who asked for it, or null for the pool that the server runs itself. */
  issuePoolToken(
    maker: Pick<Identity, 'user' | 'accountFrom'> | null,
    ttlSeconds: number,
  ): Promise<IssuedToken> {
    const made = maker === null ? { accountFrom: 0 } : { accountFrom: maker.accountFrom, maker: maker.user }
    return this.#issue({ user: poolUser, role: 'pool', ...made }, ttlSeconds)
  }

  async verify(token: string | undefined): Promise<Identity | Refusal> {
    if (token === undefined || token === '') return refuse('credential_missing')
    const claims = this.#opened.get(token) ?? (await this.#open(token))
    return claims === null ? refuse('credential_invalid') : this.admit(claims)
  }

  /** Whether what one of our tokens says still holds. */
  async admit(claims: TokenClaims): Promise<Identity | Refusal> {
    const { store, users, guests } = this.#parts
    const account = accountBehind(claims)
    const [revoked, known] = await Promise.all([
      this.#revoked.get(systemPartition, `${revokedPrefix}${claims.id}`),
      account === undefined ? null : users.get(systemPartition, userKey(account)),
    ])

    const around = { account: known?.value ?? null, revoked: revoked !== null, guests }
    return admitToken(claims, around, store.now())
  }

  /** The record goes when the token would have expired anyway. */
  async revoke(tokenId: string, expiresAt: number, deed?: Deed): Promise<void> {
    const { store } = this.#parts
    const key = `${revokedPrefix}${tokenId}`
    const now = store.now()
    const change = {
      id: newId(now),
      partition: systemPartition,
      put: [{ key, head: '', dueAt: expiresAt }],
      announce: [{ subject: key, event: JSON.stringify({ type: 'token:revoked' }) }],
    }
    await store.commit(recorded(change, deed, now))
    this.#revoked.forget(systemPartition, key)
  }

  /** For the feed: what another replica revoked. Accounts are in a memory of their own. */
  forget(partition: Partition, key: RecordKey): void {
    this.#revoked.forget(partition, key)
  }

  forgetAll(): void {
    this.#revoked.forgetAll()
  }

  async #issue<Who extends Omit<TokenClaims, 'id' | 'issuedAt' | 'expiresAt'>>(
    who: Who,
    ttlSeconds: number,
  ): Promise<Who & IssuedToken> {
    const { store, signer } = this.#parts
    const issuedAt = store.now()
    const claims = { ...who, id: newId(issuedAt), issuedAt, expiresAt: issuedAt + ttlSeconds * 1_000 }
    return { ...claims, token: await signer.sign(claims) }
  }

  async #open(token: string): Promise<TokenClaims | null> {
    const claims = await this.#parts.signer.open(token)
    if (claims === null) return null
    if (this.#opened.size >= rememberedTokens) {
      const oldest = this.#opened.keys().next().value
      if (oldest !== undefined) this.#opened.delete(oldest)
    }
    this.#opened.set(token, claims)
    return claims
  }
}

/** Guests have none; a pool has that of the admin who let it in, or none where the server runs it itself. */
function accountBehind({ user, role, maker }: TokenClaims): UserName | undefined {
  if (role === 'guest') return undefined
  return role === 'pool' ? maker : user
}
