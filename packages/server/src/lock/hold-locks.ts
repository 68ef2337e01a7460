// Acquire, refresh, message, release: by socket or by REST, for a person's session or for the attempt of a job.

import {
  acquireLock,
  type Identity,
  isRefusal,
  type Lock,
  type LockClaim,
  type Refusal,
  refreshLock,
  releaseLock,
  type SessionId,
  setLockMessage,
} from '@millrace/domain'
import { openRoom } from '../room/rooms.ts'
import { changeLock } from './change-lock.ts'
import type { HeldLocks } from './held-locks.ts'
import { type LockFacts, lockFacts, lockList, lockOfRecord } from './lock-record.ts'
import { lockSession, type SessionClaim, type SessionParts } from './lock-session.ts'

export interface LockParts extends SessionParts {
  readonly held: HeldLocks
}

export interface LockPlace {
  readonly room: string
  readonly target: string
}

export interface HeldLock extends LockFacts {
  readonly session: SessionId
}

const targetsShown = 100

export async function listLocks(
  { store, rooms }: LockParts,
  who: Identity,
  room: string,
): Promise<readonly LockFacts[] | Refusal> {
  const entered = await openRoom(rooms, room, who, 'read')
  if (isRefusal(entered)) return entered
  const page = {
    partition: room,
    lists: [lockList],
    order: 'oldest',
    limit: targetsShown,
    mayLag: true,
  } as const
  const records = await store.list(page)
  const now = store.now()
  return records.map(lockOfRecord).map((lock) => lockFacts(asOf(lock, now)))
}

export async function holdLock(
  parts: LockParts,
  who: Identity,
  place: LockPlace,
  request: SessionClaim & { readonly ttlMs: number; readonly message?: string },
): Promise<HeldLock | Refusal> {
  const { ttlMs, message } = request
  return decide(parts, who, place, request, (lock, { session, user }, now) =>
    acquireLock(lock, { session, user, ttlMs, ...(message !== undefined && { message }) }, now),
  )
}

export async function keepLock(
  parts: LockParts,
  who: Identity,
  place: LockPlace,
  request: SessionClaim & { readonly fence: number; readonly ttlMs: number },
): Promise<HeldLock | Refusal> {
  return decide(parts, who, place, request, (lock, { session }, now) =>
    refreshLock(lock, { session, fence: request.fence }, request.ttlMs, now),
  )
}

export async function tellLock(
  parts: LockParts,
  who: Identity,
  place: LockPlace,
  request: SessionClaim & { readonly fence: number; readonly message: string | null },
): Promise<HeldLock | Refusal> {
  return decide(parts, who, place, request, (lock, { session }, now) =>
    setLockMessage(lock, { session, fence: request.fence }, request.message, now),
  )
}

export async function freeLock(
  parts: LockParts,
  who: Identity,
  place: LockPlace,
  request: SessionClaim & { readonly fence: number },
): Promise<HeldLock | Refusal> {
  return decide(parts, who, place, request, (lock, { session }, now) =>
    releaseLock(lock, { session, fence: request.fence }, now),
  )
}

type Decision = (
  lock: Lock,
  who: Pick<LockClaim, 'session'> & { readonly user: Identity['user'] },
  now: number,
) => Lock | Refusal

async function decide(
  { store, held, ...parts }: LockParts,
  who: Identity,
  place: LockPlace,
  claim: SessionClaim,
  decision: Decision,
): Promise<HeldLock | Refusal> {
  const { room, target } = place
  const asker = await lockSession({ store, ...parts }, who, room, claim)
  if (isRefusal(asker)) return asker
  const { session } = asker

  const lock = await changeLock(store, room, target, (now, at) => decision(now, asker, at), asker.guard)
  if (isRefusal(lock)) return lock
  if (lock.holder === null) held.freed(session, place)
  else held.holds(session, { room, target, expiresAt: lock.holder.expiresAt }, asker.attempt)
  return { ...lockFacts(lock), session }
}

function asOf(lock: Lock, now: number): Lock {
  return lock.holder !== null && lock.holder.expiresAt <= now ? { ...lock, holder: null } : lock
}
