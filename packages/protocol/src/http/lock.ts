// Locks on the targets of a room. A session is whoever acquires: the credential itself, a name the client chose and keeps
// over reconnects, or the attempt of a job. Refresh, message and release name the fencing number that acquire answered.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Id, Instant, Name, nullable, roomParams, strict, Token } from '../shapes.ts'

export const LockView = strict({
  target: Name,
  /** Grows with every new holding; a write that names an older one is refused. */
  fence: Count,
  holder: nullable(
    strict({ user: Name, acquiredAt: Instant, expiresAt: Instant, message: nullable(Type.String()) }),
  ),
})
export type LockView = Static<typeof LockView>

/** Beyond these the use-case refuses with its own code and limit. */
const Message = Type.String({ maxLength: 10_000 })
const TtlMs = Type.Integer({ description: 'ms, 1,000 to 300,000' })

const session = {
  session: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  /** On behalf of a job: the holding ends with this attempt. */
  attempt: Type.Optional(strict({ job: Id, token: Token })),
}

export const AcquireLock = strict({ ...session, ttlMs: TtlMs, message: Type.Optional(Message) })
export const RefreshLock = strict({ ...session, fence: Count, ttlMs: TtlMs })
export const ReleaseLock = strict({ ...session, fence: Count })
export const MessageLock = strict({ ...session, fence: Count, message: nullable(Message) })

const lockParams = strict({ room: Name, target: Name })

export const listLocks = route({
  method: 'GET',
  path: '/api/rooms/{room}/locks',
  tag: 'locks',
  summary: 'Who holds which lock of the room',
  access: 'token',
  params: roomParams,
  replies: { 200: strict({ locks: Type.Array(LockView) }) },
})

export const acquireLock = route({
  method: 'POST',
  path: '/api/rooms/{room}/locks/{target}/acquire',
  tag: 'locks',
  summary: 'Hold a lock; again by the same session counts up and may prolong it',
  access: 'token',
  params: lockParams,
  body: AcquireLock,
  replies: { 200: LockView },
})

export const refreshLock = route({
  method: 'POST',
  path: '/api/rooms/{room}/locks/{target}/refresh',
  tag: 'locks',
  summary: 'Keep holding a lock',
  access: 'token',
  params: lockParams,
  body: RefreshLock,
  replies: { 200: LockView },
})

export const releaseLock = route({
  method: 'POST',
  path: '/api/rooms/{room}/locks/{target}/release',
  tag: 'locks',
  summary: 'Let go of a lock; the last release of a session frees it',
  access: 'token',
  params: lockParams,
  body: ReleaseLock,
  replies: { 200: LockView },
})

export const messageLock = route({
  method: 'POST',
  path: '/api/rooms/{room}/locks/{target}/message',
  tag: 'locks',
  summary: 'Say to everybody in the room what the lock is held for',
  access: 'token',
  params: lockParams,
  body: MessageLock,
  replies: { 200: LockView },
})
