import { describe, expect, it } from 'vitest'
import { isFailing, isSlow, isStuck } from './trouble.ts'

describe('what is not as it should be', () => {
  it('[G10] waiting for a slot or a limit is no trouble; waiting for somebody to act is', () => {
    expect(isStuck({ reason: 'all_slots_busy', scarce: 'slots' })).toBe(false)
    expect(isStuck({ reason: 'room_limit', limit: 1, running: 1 })).toBe(false)
    expect(isStuck({ reason: 'no_worker', ability: 'x' })).toBe(true)
    expect(isStuck({ reason: 'paused', by: 'kim' })).toBe(true)
  })

  it.each([
    [0, 4, false],
    [0, 5, true],
    [20, 5, true],
    [21, 5, false],
    [1_000, 100, false],
  ])('[G10] with %i completed and %i failed, failing is %s', (completed, failed, expected) => {
    expect(isFailing({ completed, failed })).toBe(expected)
  })

  it('[G10] ten minutes are long', () => {
    expect([599_999, 600_000].map(isSlow)).toEqual([false, true])
  })
})
