import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomName, UserName } from '../ids.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Caller, UserRole } from '../room/caller.ts'
import { passwordRefusal } from './password.ts'
import {
  type AccountDecision,
  type AccountRole,
  administrationRefusal,
  changeAccount,
  changeRefusal,
  closeAccount,
  openAccount,
  type User,
} from './user.ts'

const named = (text: string): UserName => text as UserName
const someone = (user: string, role: UserRole = 'user'): Caller => ({ user: named(user), role })
const account = (name: string, role: AccountRole = 'user'): User => ({
  name: named(name),
  role,
  passwordHash: 'old',
  tokensFrom: 100,
  createdAt: 100,
})
const decided = (answer: AccountDecision | Refusal): AccountDecision => {
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

describe('making an account', () => {
  const maxi = { name: 'maxi', role: 'user', passwordHash: 'h' } as const

  it('[U3] a new account has the name, role and password it was made with', () => {
    expect(openAccount(null, maxi, [], 500)).toEqual({
      next: { ...maxi, tokensFrom: 500, createdAt: 500 },
      admins: [],
    })
  })

  it('[U3] a name that is taken is refused', () => {
    expect(openAccount(account('maxi'), maxi, [], 500)).toMatchObject({ refused: 'user_name_taken' })
  })

  it('[U1] [U2] a name that no user may have is refused', () => {
    expect(openAccount(null, { ...maxi, name: 'Maxi' }, [], 1)).toMatchObject({
      refused: 'user_name_invalid',
    })
    expect(openAccount(null, { ...maxi, name: 'guest-12345678' }, [], 1)).toMatchObject({
      refused: 'user_name_reserved',
    })
  })

  it.each<[Caller, boolean]>([
    [someone('olga', 'admin'), true],
    [someone('maxi', 'user'), false],
    [someone('guest-abcdefgh', 'guest'), false],
    [{ ...someone('olga', 'admin'), onlyRoom: 'lab' as RoomName }, false],
  ])('[U4] %o administers accounts: %s', (who, may) => {
    expect(administrationRefusal(who)).toEqual(
      may ? null : expect.objectContaining({ refused: 'user_forbidden' }),
    )
  })
})

describe('a password', () => {
  it.each([8, 9, 64, 1_024])('[U5] of %i characters is accepted', (length) => {
    expect(passwordRefusal('x'.repeat(length))).toBeNull()
  })

  it.each([0, 1, 7, 1_025])('[U5] of %i characters is refused with the limits', (length) => {
    expect(passwordRefusal('x'.repeat(length))).toMatchObject({
      refused: 'password_invalid',
      details: { min: 8, max: 1_024 },
    })
  })
})

describe('changing an account', () => {
  it.each<[string, Caller, { role?: AccountRole; passwordHash?: string }, boolean]>([
    ['[U6] an admin changes the password of another', someone('olga', 'admin'), { passwordHash: 'n' }, true],
    ['[U6] an admin gives a role', someone('olga', 'admin'), { role: 'admin' }, true],
    ['[U6] a user changes the own password', someone('maxi'), { passwordHash: 'n' }, true],
    ['[U6] a user does not give the own role', someone('maxi'), { role: 'admin' }, false],
    [
      '[U6] a user gets no role along with a password',
      someone('maxi'),
      { role: 'user', passwordHash: 'n' },
      false,
    ],
    ['[U6] a user does not change another', someone('sam'), { passwordHash: 'n' }, false],
    ['[U6] a guest changes nobody', someone('maxi', 'guest'), { passwordHash: 'n' }, false],
    [
      '[U6] a token for one room changes no account',
      { ...someone('maxi'), onlyRoom: 'lab' as RoomName },
      { passwordHash: 'n' },
      false,
    ],
    [
      "[U6] an admin's token for one room changes no account",
      { ...someone('olga', 'admin'), onlyRoom: 'lab' as RoomName },
      { passwordHash: 'n' },
      false,
    ],
  ])('%s', (_title, who, change, may) => {
    expect(changeRefusal(who, 'maxi', change)?.refused).toBe(may ? undefined : 'user_forbidden')
  })

  it.each([{ role: 'admin' as const }, { passwordHash: 'new' }, { passwordHash: 'old' }])(
    '[U7] %o voids the tokens issued until now',
    (change) => {
      const answer = decided(changeAccount(account('maxi'), change, [named('olga')], 900))
      expect(answer.next).toEqual({ ...account('maxi'), ...change, tokensFrom: 900 })
    },
  )

  it.each([{}, { role: 'user' as const }])('[U7] %o changes nothing and voids nothing', (change) => {
    const answer = decided(changeAccount(account('maxi'), change, [named('olga')], 900))
    expect(answer).toEqual({ next: account('maxi'), admins: ['olga'] })
  })

  it('[U7] a change voids a later instant than the one before, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 }), { minLength: 2, maxLength: 20 }), (clock) => {
        let user = account('maxi')
        for (const now of clock) {
          const { next } = decided(changeAccount(user, { passwordHash: `at ${now}` }, [named('olga')], now))
          expect(next?.tokensFrom).toBeGreaterThan(user.tokensFrom)
          user = next as User
        }
      }),
      { seed: 7 },
    )
  })
})

describe('the last admin', () => {
  const olga = account('olga', 'admin')

  it('[U8] cannot be demoted', () => {
    expect(changeAccount(olga, { role: 'user' }, [olga.name], 900)).toMatchObject({
      refused: 'user_last_admin',
    })
  })

  it('[U8] cannot be removed', () => {
    expect(closeAccount(olga, [olga.name])).toMatchObject({ refused: 'user_last_admin' })
  })

  it('[U8] may change the own password', () => {
    expect(decided(changeAccount(olga, { passwordHash: 'n' }, [olga.name], 900)).admins).toEqual(['olga'])
  })

  it('[U8] is no obstacle to those who are not admins, even where there is none', () => {
    expect(decided(changeAccount(account('maxi'), { passwordHash: 'n' }, [], 900)).admins).toEqual([])
    expect(decided(closeAccount(account('maxi'), [])).next).toBeNull()
  })

  it('[U8] whatever is done, the list of admins is true and never empties', () => {
    const step = fc.record({
      name: fc.constantFrom('olga', 'maxi', 'sam', 'vera'),
      act: fc.constantFrom<AccountRole | 'open admin' | 'open user' | 'close'>(
        'admin',
        'user',
        'open admin',
        'open user',
        'close',
      ),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const users = new Map<string, User>([['olga', olga]])
        let admins: readonly UserName[] = [olga.name]
        for (const { name, act } of steps) {
          const user = users.get(name) ?? null
          const answer = acted(user, name, act, admins)
          if (answer === null || isRefusal(answer)) continue
          admins = answer.admins
          if (answer.next) users.set(name, answer.next)
          else users.delete(name)
          const real = [...users.values()].filter(({ role }) => role === 'admin').map((each) => each.name)
          expect(new Set(admins)).toEqual(new Set(real))
          expect(admins.length).toBe(real.length)
          expect(real.length).toBeGreaterThan(0)
        }
      }),
      { seed: 8 },
    )
  })
})

function acted(
  user: User | null,
  name: string,
  act: string,
  admins: readonly UserName[],
): AccountDecision | Refusal | null {
  if (act.startsWith('open')) {
    const role: AccountRole = act === 'open admin' ? 'admin' : 'user'
    return openAccount(user, { name, role, passwordHash: null }, admins, 1_000)
  }
  if (user === null) return null
  return act === 'close'
    ? closeAccount(user, admins)
    : changeAccount(user, { role: act as AccountRole }, admins, 1_000)
}
