import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../refusal.ts'
import { parseRoomName, reservedRoomNames } from './room-name.ts'

describe('the name of a room', () => {
  it.each(['a', '7', 'lab', 'lab-2', 'a_b', 'v1.2', 'publicly', 'x'.repeat(64), '0..--__'])(
    '[R1] %s is a name',
    (name) => {
      expect(parseRoomName(name)).toBe(name)
    },
  )

  it.each([
    ['nothing', ''],
    ['too long', 'x'.repeat(65)],
    ['upper case', 'Lab'],
    ['a dot in front', '.hidden'],
    ['a dash in front', '-x'],
    ['an underscore in front', '_x'],
    ['a parent folder', '..'],
    ['a slash', 'a/b'],
    ['a space', 'a b'],
    ['a newline at the end', 'lab\n'],
    ['a colon', 'a:b'],
    ['a brace, which would move a store key to another shard', '{a}'],
    ['an umlaut', 'münchen'],
    ['a zero byte', 'a\0'],
  ])('[R1] %s is no name', (_why, name) => {
    expect(parseRoomName(name)).toMatchObject({ refused: 'room_name_invalid' })
  })

  it('[R1] whatever is accepted reads the same in a URL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9._-]{1,70}$/)), (text) => {
        const name = parseRoomName(text)
        if (!isRefusal(name)) expect(encodeURIComponent(name)).toBe(text)
      }),
      { seed: 1 },
    )
  })

  it.each(['public', 'global', 'system', 'admin', 'api', 'builtin', 'all', 'none', 'me'])(
    '[R2] %s is reserved',
    (word) => {
      expect(reservedRoomNames).toContain(word)
    },
  )

  it('[R2] every reserved word is refused with its reason', () => {
    for (const word of reservedRoomNames) {
      expect(parseRoomName(word)).toMatchObject({
        refused: 'room_name_reserved',
        message: expect.stringMatching(new RegExp(`^'${word}' (is|stands) .+ and cannot name a room\\.$`)),
      })
    }
  })
})
