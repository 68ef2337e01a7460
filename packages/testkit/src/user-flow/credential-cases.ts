// Tokens through the server's use-cases: what they say, and what ends them.

import {
  changeUser,
  createLoginCode,
  createRoomToken,
  createUser,
  expireCredentials,
  removeUser,
  revokeToken,
  signIn,
} from '@millrace/server'
import { expect } from 'vitest'
import { answered, lab, password, sessionTtlSeconds, type UserCase } from './user-scene.ts'

export const credentialCases: readonly UserCase[] = [
  {
    title: '[U9] a session says who asks until it expires in the time of the store',
    run: async (scene) => {
      await scene.peopled('maxi')
      const { token, id, issuedAt, expiresAt, accountFrom } = await scene.session('maxi')
      expect(expiresAt - issuedAt).toBe(sessionTtlSeconds * 1_000)
      const said = { user: 'maxi', role: 'user', tokenId: id, issuedAt, expiresAt, accountFrom }
      expect(await scene.credentials.verify(token)).toEqual(said)
      expect(await scene.replica().credentials.verify(token)).toEqual(said)
      scene.clock.pass(sessionTtlSeconds * 1_000 - 1)
      expect(await scene.refusedAs(token)).toBeUndefined()
      scene.clock.pass(1)
      expect(await scene.refusedAs(token)).toBe('credential_expired')
    },
  },
  {
    title: '[U18] no token and an invention are refused, each with its code',
    run: async ({ credentials }) => {
      expect(await credentials.verify(undefined)).toMatchObject({ refused: 'credential_missing' })
      expect(await credentials.verify('')).toMatchObject({ refused: 'credential_missing' })
      expect(await credentials.verify('a.b.c')).toMatchObject({ refused: 'credential_invalid' })
    },
  },
  {
    title: '[U10] a revoked token is refused at once here, and elsewhere when its event has come by',
    run: async (scene) => {
      await scene.peopled('maxi')
      const [ended, kept] = [await scene.session('maxi'), await scene.session('maxi')]
      const other = scene.replica()
      expect(await other.refusedAs(ended.token)).toBeUndefined()
      const feed = scene.store.feed('now')
      await feed.ready
      await scene.credentials.revoke(ended.id, ended.expiresAt)
      expect(await scene.refusedAs(ended.token)).toBe('credential_revoked')
      expect(await scene.refusedAs(kept.token)).toBeUndefined()
      for await (const item of feed) {
        if (item.kind !== 'events') continue
        for (const { subject } of item.events) other.forget({ partition: item.partition, key: subject })
        break
      }
      await feed.close()
      expect(await other.refusedAs(ended.token)).toBe('credential_revoked')
    },
  },
  {
    title: '[U7] [U11] a new role or password ends the sessions before it and none after it',
    run: async (scene) => {
      const olga = await scene.peopled('maxi')
      for (const change of [{ role: 'admin' as const }, { password }, { role: 'user' as const }]) {
        const before = await scene.session('maxi')
        answered(await changeUser(scene, olga, 'maxi', change))
        const after = await scene.session('maxi')
        expect(await scene.refusedAs(before.token)).toBe('credential_revoked')
        expect(await scene.refusedAs(after.token)).toBeUndefined()
        scene.clock.pass(5_000)
      }
    },
  },
  {
    title:
      '[U7] a session for which the password was checked before its change is void, however late it is issued',
    run: async (scene) => {
      const olga = await scene.peopled('maxi')
      const checked = answered(await signIn(scene, 'maxi', password))
      answered(await changeUser(scene, olga, 'maxi', { password: 'a new one' }))
      scene.clock.pass(5_000)
      const { token } = await scene.credentials.issueSession(checked)
      expect(await scene.refusedAs(token)).toBe('credential_revoked')
    },
  },
  {
    title: '[U7] [U20] another replica knows of the change once it has forgotten the account',
    run: async (scene) => {
      const olga = await scene.peopled('maxi')
      const { token } = await scene.session('maxi')
      const other = scene.replica()
      expect(await other.refusedAs(token)).toBeUndefined()
      answered(await changeUser(scene, olga, 'maxi', { password: 'a new one' }))
      other.forget({ partition: 'system', key: 'user/maxi' })
      expect(await other.refusedAs(token)).toBe('credential_revoked')
    },
  },
  {
    title: '[U11] the tokens of a removed user are void, also when somebody gets the name again',
    run: async (scene) => {
      const olga = await scene.peopled('maxi')
      const { token } = await scene.session('maxi')
      scene.clock.pass(1)
      expect(await removeUser(scene, olga, 'maxi')).toBeNull()
      expect(await scene.refusedAs(token)).toBe('credential_revoked')
      answered(await createUser(scene, olga, { name: 'maxi', password, role: 'user' }))
      expect(await scene.refusedAs(token)).toBe('credential_revoked')
      expect(await scene.refusedAs((await scene.session('maxi')).token)).toBeUndefined()
    },
  },
  {
    title: '[U12] a guest has a name of its own, no record, and only where guests are switched on',
    run: async (scene) => {
      const [one, two] = [
        answered(await scene.credentials.issueGuest()),
        answered(await scene.credentials.issueGuest()),
      ]
      expect(one.user).toMatch(/^guest-[a-z0-9]{8}$/)
      expect(two.user).not.toBe(one.user)
      expect(await scene.credentials.verify(one.token)).toMatchObject({ user: one.user, role: 'guest' })
      const closed = scene.replica(false)
      expect(await closed.credentials.issueGuest()).toMatchObject({ refused: 'guests_off' })
      expect(await closed.refusedAs(one.token)).toBe('credential_revoked')
      await scene.credentials.revoke(one.id, one.expiresAt)
      expect(await scene.refusedAs(one.token)).toBe('credential_revoked')
    },
  },
  {
    title: '[U13] a token for a worker reaches its room, and makes no other tokens',
    run: async (scene) => {
      await scene.peopled('maxi')
      const issued = answered(await createRoomToken(scene, await scene.identity('maxi'), lab, 60))
      const who = answered(await scene.credentials.verify(issued.token))
      expect(who).toMatchObject({ user: 'maxi', role: 'user', onlyRoom: 'lab', tokenId: issued.id })
      expect(await createRoomToken(scene, who, lab, 60)).toMatchObject({ refused: 'user_forbidden' })
      scene.clock.pass(60_001)
      expect(await scene.refusedAs(issued.token)).toBe('credential_expired')
    },
  },
  {
    title: '[U21] a token for a worker is revoked by its maker or an admin, and does not exist for others',
    run: async (scene) => {
      const olga = await scene.peopled('maxi', 'sam')
      const [maxi, sam] = [await scene.identity('maxi'), await scene.identity('sam')]
      const [first, second] = [
        answered(await createRoomToken(scene, maxi, lab, 60)),
        answered(await createRoomToken(scene, maxi, lab, 60)),
      ]
      const itself = answered(await scene.credentials.verify(second.token))
      expect(await revokeToken(scene, sam, first.id)).toMatchObject({ refused: 'token_not_found' })
      expect(await revokeToken(scene, itself, first.id)).toMatchObject({ refused: 'token_not_found' })
      expect(await revokeToken(scene, maxi, 'an invention')).toMatchObject({ refused: 'token_not_found' })
      expect(await scene.refusedAs(first.token)).toBeUndefined()
      expect(await revokeToken(scene, maxi, first.id)).toBeNull()
      expect(await scene.refusedAs(first.token)).toBe('credential_revoked')
      expect(await revokeToken(scene, { ...maxi, ...olga }, second.id)).toBeNull()
      expect(await scene.refusedAs(second.token)).toBe('credential_revoked')
      expect(await revokeToken(scene, sam, sam.tokenId)).toBeNull()
      expect(await scene.credentials.verify((await scene.session('sam')).token)).toMatchObject({
        user: 'sam',
      })
    },
  },
  {
    title: '[U22] what is kept about credentials is due at their expiry and goes then',
    run: async (scene) => {
      await scene.peopled('maxi')
      const { id, expiresAt } = answered(await createRoomToken(scene, await scene.identity('maxi'), lab, 60))
      await scene.credentials.revoke(id, expiresAt)
      answered(await createLoginCode(scene, 'maxi', 'user', 60))
      expect(await scene.store.due(scene.clock.now(), 10)).toEqual([])
      scene.clock.pass(60_001)
      const due = await scene.store.due(scene.clock.now(), 10)
      expect(due.map(({ key }) => key.split('/')[0]).sort()).toEqual(['login-code', 'revoked', 'token'])
      expect(await expireCredentials(scene.store, due)).toBe(3)
      expect(await scene.store.due(scene.clock.now(), 10)).toEqual([])
      const stranger = { partition: 'lab', key: 'revoked/not-ours', dueAt: 0 }
      expect(await expireCredentials(scene.store, [stranger])).toBe(0)
    },
  },
]
