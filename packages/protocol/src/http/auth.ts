// Signing in, users, and the short-lived tokens a worker of one room is given.

import Type, { type Static } from 'typebox'
import { route } from '../route.ts'
import { CallerRole, Id, Instant, Name, nullable, oneOf, roomParams, strict, UserRole } from '../shapes.ts'

const Password = Type.String({ minLength: 1, maxLength: 1_024 })

export const Session = strict({
  token: Type.String(),
  expiresAt: Instant,
  user: Name,
  role: UserRole,
})
export type Session = Static<typeof Session>

export const UserView = strict({ user: Name, role: UserRole, createdAt: Instant })
export type UserView = Static<typeof UserView>

export const login = route({
  method: 'POST',
  path: '/api/auth/login',
  tag: 'auth',
  summary: 'Sign in with a password, or once with the code of a login link',
  access: 'anyone',
  body: Type.Union([
    strict({ user: Name, password: Password }),
    strict({ code: Type.String({ minLength: 1, maxLength: 256 }) }),
  ]),
  replies: { 200: Session },
})

export const enterAsGuest = route({
  method: 'POST',
  path: '/api/auth/guest',
  tag: 'auth',
  summary: 'Enter as a guest, where guests are switched on',
  access: 'anyone',
  replies: { 200: Session },
})

export const me = route({
  method: 'GET',
  path: '/api/auth/me',
  tag: 'auth',
  summary: 'Who the credential says I am',
  access: 'worker',
  replies: {
    200: strict({ user: Name, role: CallerRole, room: nullable(Name), expiresAt: Instant }),
  },
})

export const logout = route({
  method: 'POST',
  path: '/api/auth/logout',
  tag: 'auth',
  summary: 'Revoke the token this request came with',
  access: 'token',
  replies: { 204: null },
})

export const listUsers = route({
  method: 'GET',
  path: '/api/users',
  tag: 'users',
  summary: 'All users with an account',
  access: 'admin',
  replies: { 200: strict({ users: Type.Array(UserView) }) },
})

export const createUser = route({
  method: 'POST',
  path: '/api/users',
  tag: 'users',
  summary: 'Make an account',
  access: 'admin',
  body: strict({ user: Name, password: Password, role: oneOf('user', 'admin') }),
  replies: { 201: UserView },
})

export const changeUser = route({
  method: 'PATCH',
  path: '/api/users/{user}',
  tag: 'users',
  summary: 'Change a role or a password; ends the sessions it concerns',
  access: 'signed-in',
  params: strict({ user: Name }),
  body: strict({ password: Type.Optional(Password), role: Type.Optional(oneOf('user', 'admin')) }),
  replies: { 200: UserView },
})

export const removeUser = route({
  method: 'DELETE',
  path: '/api/users/{user}',
  tag: 'users',
  summary: 'Remove an account and end its sessions',
  access: 'admin',
  params: strict({ user: Name }),
  replies: { 204: null },
})

/** The room is null for a pool's. */
export const WorkerToken = strict({
  id: Id,
  token: Type.String(),
  room: nullable(Name),
  expiresAt: Instant,
})
export type WorkerToken = Static<typeof WorkerToken>

export const createToken = route({
  method: 'POST',
  path: '/api/tokens',
  tag: 'tokens',
  summary:
    'A token with which a worker may serve one room, for a day at most; or, by an admin, a pool for a month',
  access: 'signed-in',
  body: Type.Union([
    strict({
      room: Name,
      expiresInSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400 })),
    }),
    strict({
      pool: Type.Literal(true),
      expiresInSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 30 * 86_400 })),
    }),
  ]),
  replies: { 201: WorkerToken },
})

/** A token that somebody made, without the token. */
export const KeptToken = strict({
  id: Id,
  /** Null for a pool's. */
  room: nullable(Name),
  madeBy: Name,
  createdAt: Instant,
  expiresAt: Instant,
})
export type KeptToken = Static<typeof KeptToken>

const TokensQuery = strict({ cursor: Type.Optional(Type.String({ maxLength: 200 })) })
const TokensPage = strict({ tokens: Type.Array(KeptToken), cursor: Type.Optional(Type.String()) })

export const listTokens = route({
  method: 'GET',
  path: '/api/tokens',
  tag: 'tokens',
  summary: 'The tokens you made that still hold, newest first; all of them for an admin',
  access: 'signed-in',
  query: TokensQuery,
  replies: { 200: TokensPage },
})

export const listRoomTokens = route({
  method: 'GET',
  path: '/api/rooms/{room}/tokens',
  tag: 'tokens',
  summary: 'The tokens for workers of a room that still hold, whoever made them, for those who manage it',
  access: 'signed-in',
  params: roomParams,
  query: TokensQuery,
  replies: { 200: TokensPage },
})

export const revokeToken = route({
  method: 'DELETE',
  path: '/api/tokens/{id}',
  tag: 'tokens',
  summary: 'Revoke a token by its id; its sockets are cut',
  access: 'signed-in',
  params: strict({ id: Id }),
  replies: { 204: null },
})
