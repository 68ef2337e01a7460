import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import { guestName, isGuestName, parseUserName, reservedUserNames } from './user-name.ts'

describe('the name of a user', () => {
  it.each(['olga', 'o', '7', 'max.muster', 'gpu_box-2', 'admin', 'guest1', 'a'.repeat(64)])(
    "[U1] '%s' can name a user",
    (name) => {
      expect(parseUserName(name)).toBe(name)
    },
  )

  it.each(['', 'Olga', '-olga', '.olga', '_x', 'ol ga', 'ol/ga', 'ölga', 'olga\n', 'a'.repeat(65)])(
    "[U1] '%s' cannot name a user",
    (name) => {
      expect(parseUserName(name)).toMatchObject({ refused: 'user_name_invalid' })
    },
  )

  it.each(reservedUserNames)("[U2] the word '%s' is reserved, with the reason", (name) => {
    expect(parseUserName(name)).toMatchObject({ refused: 'user_name_reserved' })
    expect((parseUserName(name) as { message: string }).message).toContain('stands for')
  })

  it('[U2] no account can have the name of a guest', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789')
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 8, maxLength: 8 }), (suffix) => {
        const name = guestName(suffix)
        expect(isGuestName(name)).toBe(true)
        expect(parseUserName(name)).toMatchObject({ refused: 'user_name_reserved' })
      }),
      { seed: 2 },
    )
  })

  it('[U2] whatever can name a user is no name of a guest', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:guest-)?[a-z0-9._-]{1,20}$/), (name) => {
        if (!isRefusal(parseUserName(name))) expect(isGuestName(name)).toBe(false)
      }),
      { seed: 3 },
    )
  })

  it.each(['', 'short', 'UPPERCAS', 'a-b-c-d-', 'ninechars'])(
    "[U2] '%s' does not end a guest's name",
    (end) => {
      expect(() => guestName(end)).toThrow('cannot end the name of a guest')
      expect(isGuestName(`guest-${end}`)).toBe(false)
    },
  )
})
