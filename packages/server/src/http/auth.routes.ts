// Signing in, accounts and tokens.

import type { KeptToken, Session, UserView, WorkerToken } from '@millrace/protocol'
import { routes } from '@millrace/protocol'
import type { IssuedToken, SessionToken } from '../credential/credentials.ts'
import { listRoomTokens, listTokens, type TokensPage } from '../credential/list-tokens.ts'
import { createPoolToken } from '../credential/pool-token.ts'
import { createRoomToken, revokeToken } from '../credential/room-token.ts'
import { openRoom } from '../room/rooms.ts'
import type { ServerParts } from '../server-parts.ts'
import { changeUser } from '../user/change-user.ts'
import { createUser } from '../user/create-user.ts'
import { listUsers } from '../user/list-users.ts'
import { useLoginCode } from '../user/login-code.ts'
import { removeUser } from '../user/remove-user.ts'
import { signIn } from '../user/sign-in.ts'
import type { AddRoute } from './add-routes.ts'
import { answer } from './route-handler.ts'

export function authRoutes(parts: ServerParts, add: AddRoute): void {
  const { credentials, edge, store } = parts
  add(routes.login, async ({ body, address }) => {
    const account = 'code' in body ? null : body.user
    const user = await edge.signIn.attempt(address, account, () =>
      'code' in body ? useLoginCode(parts, body.code) : signIn(parts, body.user, body.password),
    )
    return 'refused' in user ? user : answer(200, sessionView(await credentials.issueSession(user)))
  })
  add(routes.enterAsGuest, async ({ address }) => {
    const issued = edge.guests.spend(address, store.now()) ?? (await credentials.issueGuest())
    return 'refused' in issued ? issued : answer(200, sessionView(issued))
  })
  add(routes.me, async ({ who }) => {
    const { user, role, onlyRoom, expiresAt } = who
    return answer(200, { user, role, room: onlyRoom ?? null, expiresAt })
  })
  add(routes.logout, async ({ who }) => {
    await credentials.revoke(who.tokenId, who.expiresAt, { who, action: 'sign_out', target: who.user })
    return answer(204)
  })
  add(routes.createToken, async ({ body, who }) => {
    if ('pool' in body) {
      const made = await createPoolToken(parts, who, body.expiresInSeconds)
      return 'refused' in made ? made : answer(201, tokenView(made, null))
    }
    const room = await openRoom(parts.rooms, body.room, who, 'submit')
    if ('refused' in room) return room
    const ttl = body.expiresInSeconds ?? parts.limits.workerTokenTtlSeconds
    const issued = await createRoomToken(parts, who, room.name, ttl)
    return 'refused' in issued ? issued : answer(201, tokenView(issued, room.name))
  })
  add(routes.listTokens, async ({ query, who }) =>
    answer(200, tokensView(await listTokens(parts, who, query.cursor))),
  )
  add(routes.listRoomTokens, async ({ params, query, who }) => {
    const room = await openRoom(parts.rooms, params.room, who, 'manage')
    if ('refused' in room) return room
    return answer(200, tokensView(await listRoomTokens(parts, room.name, query.cursor)))
  })
  add(
    routes.revokeToken,
    async ({ params, who }) => (await revokeToken(parts, who, params.id)) ?? answer(204),
  )
}

export function userRoutes(parts: ServerParts, add: AddRoute): void {
  add(routes.listUsers, async ({ who }) => {
    const users = await listUsers(parts.store, who)
    return 'refused' in users ? users : answer(200, { users: users.map(userView) })
  })
  add(routes.createUser, async ({ body, who }) => {
    const { user: name, password, role } = body
    const user = await createUser(parts, who, { name, password, role })
    return 'refused' in user ? user : answer(201, userView(user))
  })
  add(routes.changeUser, async ({ params, body, who }) => {
    const user = await changeUser(parts, who, params.user, body)
    return 'refused' in user ? user : answer(200, userView(user))
  })
  add(
    routes.removeUser,
    async ({ params, who }) => (await removeUser(parts, who, params.user)) ?? answer(204),
  )
}

function sessionView({ token, expiresAt, user, role }: SessionToken): Session {
  return { token, expiresAt, user, role }
}

function tokenView({ id, token, expiresAt }: IssuedToken, room: string | null): WorkerToken {
  return { id, token, room, expiresAt }
}

function tokensView({ tokens, cursor }: TokensPage): { tokens: KeptToken[]; cursor?: string } {
  const views = tokens.map(
    ({ user: madeBy, room = null, claims: { id, issuedAt: createdAt }, expiresAt }) => ({
      id,
      room,
      madeBy,
      createdAt,
      expiresAt,
    }),
  )
  return { tokens: views, ...(cursor !== undefined && { cursor }) }
}

function userView({
  name,
  role,
  createdAt,
}: {
  name: string
  role: 'user' | 'admin'
  createdAt: number
}): UserView {
  return { user: name, role, createdAt }
}
