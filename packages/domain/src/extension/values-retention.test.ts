import { describe, expect, it } from 'vitest'
import { guestValuesKeptMs, valuesExpireAt, valuesKeptMs } from './values-retention.ts'

const form = { scope: 'room', category: 'modifiers', name: 'Relax' } as const
const settings = { ...form, category: 'settings' }
const guest = 'guest-abcd1234'

describe('values that were submitted last', () => {
  it.each([
    ['of an account are kept for 90 days', 'olga', form, 1_000 + valuesKeptMs],
    ['of a guest are kept for two days', guest, form, 1_000 + guestValuesKeptMs],
    ['that are settings of an account are kept for good', 'olga', settings, null],
    [
      'that are settings of a guest are kept as long as the guest’s others',
      guest,
      settings,
      1_000 + guestValuesKeptMs,
    ],
  ])('[M183] %s', (_what, user, id, at) => {
    expect(valuesExpireAt(user, id, 1_000)).toBe(at)
  })
})
