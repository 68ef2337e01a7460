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
  type TokenClaims,
} from '@millrace/domain'
import { recorded } from '../audit/audit-record.ts'
import { newId } from '../new-id.ts'
import type { RecordKey, Store, StoredRecord } from '../ports/store.ts'
import { openRoom, type Rooms } from '../room/rooms.ts'
import { systemPartition } from '../user/user-record.ts'
import type { Credentials, IssuedToken } from './credentials.ts'

export interface KeptToken {
  /** Who made it. */
  readonly user: string
  /** Absent for a pool's. */
  readonly room?: RoomName
  readonly expiresAt: number
  /** What it says: whether it holds can be asked without having it. */
  readonly claims: TokenClaims
}

export interface TokenParts {
  readonly store: Store
  readonly credentials: Credentials
}

export const tokenPrefix = 'token/'
export const tokensList = 'tokens'

export function tokensBy(user: string): string {
  return `tokens/by/${user}`
}

export function tokensOf(room: RoomName): string {
  return `tokens/of/${room}`
}

export function keptTokenOf({ head }: StoredRecord): KeptToken {
  return JSON.parse(head) as KeptToken
}

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
  { token: _token, ...claims }: IssuedToken,
  room?: RoomName,
): Promise<void> {
  const about = room === undefined ? {} : { room }
  const { id, expiresAt } = claims
  const record: KeptToken = { user: who.user, expiresAt, ...about, claims }
  const lists = [tokensList, tokensBy(who.user), ...(room === undefined ? [] : [tokensOf(room)])]
  const put = { key: keyOf(id), expect: 0, head: JSON.stringify(record), lists, dueAt: expiresAt }
  const details = { for: room === undefined ? 'pool' : 'room', expiresAt }
  const deed: Deed = { who, action: 'token.create', target: id, ...about, details }
  const now = store.now()
  await store.commit(recorded({ id: newId(now), partition: systemPartition, put: [put] }, deed, now))
}

/** A session ends itself; a token for a room is ended by whoever made it or manages the room, or an admin. */
export async function revokeToken(
  { store, credentials, rooms }: TokenParts & { readonly rooms: Rooms },
  who: Identity,
  tokenId: string,
): Promise<null | Refusal> {
  const found = tokenId === who.tokenId ? who : await readToken(store, rooms, who, tokenId)
  if (isRefusal(found)) return found

  const about = 'room' in found && found.room !== undefined ? { room: found.room } : {}
  const deed: Deed = { who, action: 'token.revoke', target: tokenId, ...about, details: { of: found.user } }
  await credentials.revoke(tokenId, found.expiresAt, deed)

  return null
}

/** Somebody else's token answers like none. */
async function readToken(
  store: Store,
  rooms: Rooms,
  who: Caller,
  tokenId: string,
): Promise<KeptToken | Refusal> {
  const [stored] = await store.read(systemPartition, [keyOf(tokenId)])
  const kept = stored ? keptTokenOf(stored) : null
  if (kept === null || who.onlyRoom !== undefined) return refuse('token_not_found')
  const may = kept.user === who.user || who.role === 'admin' || (await manages(rooms, kept.room, who))
  return may ? kept : refuse('token_not_found')
}

async function manages(rooms: Rooms, room: RoomName | undefined, who: Caller): Promise<boolean> {
  return room !== undefined && !isRefusal(await openRoom(rooms, room, who, 'manage'))
}

function keyOf(tokenId: string): RecordKey {
  return `${tokenPrefix}${tokenId}`
}
