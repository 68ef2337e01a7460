import { describe, expect, it } from 'vitest'
import type { RoomName, UserName } from '../ids.ts'
import type { Caller } from '../room/caller.ts'
import { admitToken, poolTokenRefusal, type TokenClaims, type TokenSurroundings } from './token.ts'
import type { User } from './user.ts'

const maxi: User = {
  name: 'maxi' as UserName,
  role: 'user',
  passwordHash: null,
  tokensFrom: 1_000,
  createdAt: 0,
}
const session: TokenClaims = {
  id: 't1',
  user: maxi.name,
  role: 'user',
  issuedAt: 1_001,
  expiresAt: 5_000,
  accountFrom: 1_000,
}
const guest: TokenClaims = { ...session, user: 'guest-abcd1234' as UserName, role: 'guest', accountFrom: 0 }
const around: TokenSurroundings = { account: maxi, revoked: false, guests: false }

describe('a token', () => {
  it('[U9] says who asks until its expiry', () => {
    expect(admitToken(session, around, 4_999)).toEqual({
      user: 'maxi',
      role: 'user',
      tokenId: 't1',
      issuedAt: 1_001,
      expiresAt: 5_000,
      accountFrom: 1_000,
    })
    expect(admitToken(session, around, 5_000)).toMatchObject({ refused: 'credential_expired' })
  })

  it('[U10] that was revoked is refused', () => {
    expect(admitToken(session, { ...around, revoked: true }, 2_000)).toMatchObject({
      refused: 'credential_revoked',
    })
  })

  it.each([0, 999, 1_001])(
    '[U7] made from the account as it was at %i is void, however late it was issued',
    (from) => {
      const claims = { ...session, accountFrom: from, issuedAt: 1_900 }
      expect(admitToken(claims, around, 2_000)).toMatchObject({ refused: 'credential_revoked' })
    },
  )

  it('[U7] made from the account as it is holds, whatever the clock said when it was issued', () => {
    expect(admitToken({ ...session, issuedAt: 1 }, around, 2_000)).toMatchObject({ user: 'maxi' })
  })

  it('[U11] has the role of the account and not the one it was issued with', () => {
    const raised = { ...around, account: { ...maxi, role: 'admin' as const } }
    expect(admitToken(session, raised, 2_000)).toMatchObject({ role: 'admin' })
    expect(admitToken({ ...session, role: 'admin' }, around, 2_000)).toMatchObject({ role: 'user' })
  })

  it('[U11] whose account is gone is refused', () => {
    expect(admitToken(session, { ...around, account: null }, 2_000)).toMatchObject({
      refused: 'credential_revoked',
    })
  })

  it('[U12] of a guest needs no account, where guests are switched on', () => {
    expect(admitToken(guest, { ...around, account: null, guests: true }, 2_000)).toMatchObject({
      user: 'guest-abcd1234',
      role: 'guest',
    })
    expect(admitToken(guest, { ...around, account: null }, 2_000)).toMatchObject({
      refused: 'credential_revoked',
    })
  })

  it('[U12] of a guest never speaks for an account', () => {
    const claims = { ...guest, user: maxi.name }
    expect(admitToken(claims, { ...around, guests: true }, 2_000)).toMatchObject({
      refused: 'credential_invalid',
    })
  })

  it('[U13] for a worker reaches its room and nothing else', () => {
    const answer = admitToken({ ...session, room: 'lab' as RoomName }, around, 2_000)
    expect(answer).toMatchObject({ user: 'maxi', role: 'user', onlyRoom: 'lab' })
    expect(admitToken(session, around, 2_000)).not.toHaveProperty('onlyRoom')
  })
})

describe("a pool's token", () => {
  const own: TokenClaims = { ...session, user: 'pool' as UserName, role: 'pool', accountFrom: 0 }
  const made: TokenClaims = { ...own, accountFrom: 1_000, maker: maxi.name }
  const admin: User = { ...maxi, role: 'admin' }

  it("[U23] of the server's own pool holds without any account", () => {
    const admitted = admitToken(own, { ...around, account: null }, 2_000)
    expect(admitted).toMatchObject({ user: 'pool', role: 'pool', tokenId: 't1' })
    expect(admitted).not.toHaveProperty('maker')
    expect(admitToken(own, { ...around, account: null }, 5_000)).toMatchObject({
      refused: 'credential_expired',
    })
  })

  it('[U23] that an admin made names the pool and its maker, whatever role it claims', () => {
    expect(admitToken(made, { ...around, account: admin }, 2_000)).toMatchObject({
      user: 'pool',
      role: 'pool',
      maker: 'maxi',
    })
  })

  it.each([
    ['is gone', null],
    ['has changed', { ...admin, tokensFrom: 1_001 }],
    ['is no admin any more', maxi],
  ])('[U23] is void when the account of its maker %s', (_what, account) => {
    expect(admitToken(made, { ...around, account }, 2_000)).toMatchObject({ refused: 'credential_revoked' })
  })

  it('[U23] never speaks for an account', () => {
    const claims = { ...made, user: maxi.name }
    expect(admitToken(claims, { ...around, account: admin }, 2_000)).toMatchObject({
      refused: 'credential_invalid',
    })
  })

  it.each<[string, Omit<Caller, 'user'>, boolean]>([
    ['an admin', { role: 'admin' }, true],
    ['an admin with a token for one room', { role: 'admin', onlyRoom: 'lab' as RoomName }, false],
    ['a user', { role: 'user' }, false],
    ['a guest', { role: 'guest' }, false],
    ['a pool', { role: 'pool' }, false],
  ])('[U23] made by %s: %o is %s', (_who, caller, may) => {
    const refusal = poolTokenRefusal({ user: maxi.name, ...caller })
    expect(refusal?.refused).toBe(may ? undefined : 'admin_required')
  })
})
