// Tokens that a user makes for workers of one room, and the revocation of all that were made, by id. Each has a record that
// says whose it is, or anybody who reads an id in a log could revoke it.

import {
  type Caller,
  type Deed,
  type Identity,
  isRefusal,
  type Refusal,
  type RoomName,
  refuse,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { newId } from '../new-id.ts'
import type { RecordKey, Store } from '../ports/store.ts'
import { systemPartition } from '../user/user-record.ts'
import type { Credentials, IssuedToken } from './credentials.ts'

interface TokenRecord {
  readonly user: string
  /** Absent for a pool's. */
  readonly room?: RoomName
  readonly expiresAt: number
}

export interface TokenParts {
  readonly store: Store
  readonly credentials: Credentials
}

export const tokenPrefix = 'token/'

/** The caller has entered the room: whether it exists and may be used was decided there. */
export async function createRoomToken(
  parts: TokenParts,
  who: Identity,
  room: RoomName,
  ttlSeconds: number,
): Promise<IssuedToken | Refusal> {
  if (who.onlyRoom !== undefined) return refuse('user_forbidden', 'A token for one room makes no others.')

  const issued = await parts.credentials.issueWorkerToken(who, room, ttlSeconds)
  await keepToken(parts, who, issued, room)

  return issued
}

/** Whose it is, for as long as it holds. */
export async function keepToken(
  { store }: TokenParts,
  who: Identity,
  { id, expiresAt }: IssuedToken,
  room?: RoomName,
): Promise<void> {
  const about = room === undefined ? {} : { room }
  const record: TokenRecord = { user: who.user, expiresAt, ...about }
  const put = { key: keyOf(id), expect: 0, head: JSON.stringify(record), dueAt: expiresAt }
  const details = { for: room === undefined ? 'pool' : 'room', expiresAt }
  const deed: Deed = { who, action: 'token.create', target: id, ...about, details }
  const now = store.now()
  await store.commit(recorded({ id: newId(now), partition: systemPartition, put: [put] }, deed, now))
}

/** A session ends itself; a token for a room is ended by whoever made it, or an admin. */
export async function revokeToken(
  { store, credentials }: TokenParts,
  who: Identity,
  tokenId: string,
): Promise<null | Refusal> {
  const found = tokenId === who.tokenId ? who : await readToken(store, who, tokenId)
  if (isRefusal(found)) return found

  const about = 'room' in found && found.room !== undefined ? { room: found.room } : {}
  const deed: Deed = { who, action: 'token.revoke', target: tokenId, ...about, details: { of: found.user } }
  await credentials.revoke(tokenId, found.expiresAt, deed)

  return null
}

/** Somebody else's token answers like none. */
async function readToken(store: Store, who: Caller, tokenId: string): Promise<TokenRecord | Refusal> {
  const [stored] = await store.read(systemPartition, [keyOf(tokenId)])
  const record = stored ? (JSON.parse(stored.head) as TokenRecord) : null
  const may = record?.user === who.user || who.role === 'admin'
  return record && may && who.onlyRoom === undefined ? record : refuse('token_not_found')
}

function keyOf(tokenId: string): RecordKey {
  return `${tokenPrefix}${tokenId}`
}
