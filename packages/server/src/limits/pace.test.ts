import { describe, expect, it } from 'vitest'
import { bytesPerMinute, Pace } from './pace.ts'

describe('a pace', () => {
  const rate = bytesPerMinute(6_000_000, 500_000, 'bytes of a test')

  it('[A26] holds who is too fast for as long as the rate says, each key for itself, refuses who would wait too long, and lets pass what is small', async () => {
    const held: number[] = []
    const pause = async (ms: number): Promise<void> => void held.push(ms)
    const pace = new Pace({ rate, holdMs: 2_000 }, () => 0, pause)
    expect(await pace.admit('one', 500_000)).toBeNull()
    expect(await pace.admit('one', 50_000)).toBeNull()
    expect(await pace.admit('one', 50_000)).toBeNull()
    expect(await pace.admit('other', 500_000)).toBeNull()
    expect(held).toEqual([500, 1_000])
    expect(await pace.admit('one', 150_000)).toMatchObject({
      refused: 'rate_limited',
      details: { retryAfterMs: 500 },
    })
    expect(await pace.admit('one', 16_000)).toBeNull()
  })

  it('[A26] lets the largest that may come pass at once, however small the rate is', () => {
    expect(rate).toMatchObject({ count: 500_000, perMs: 5_000 })
    expect(bytesPerMinute(60_000_000, 5_000, 'bytes')).toMatchObject({ count: 4_000_000, perMs: 4_000 })
  })
})
