import { describe, expect, it } from 'vitest'
import { offsetAfter } from './store-clock.ts'

const started = 1_000_000

describe('how far the time of Redis is from our own', () => {
  it('[M112] is taken from the middle of the first answer', () => {
    expect(offsetAfter(null, { askedAt: 10, answeredAt: 12, redisAt: started + 11 })).toBe(started)
  })

  it.each([
    ['before it said its time', 4_000],
    ['after it had said its time', 0],
  ])('[M112] stays what it was where Redis stood still %s', (_when, stoodMs) => {
    const told = { askedAt: 10, answeredAt: 4_012, redisAt: started + 11 + stoodMs }
    expect(offsetAfter(started, told)).toBe(started)
  })

  it('[M112] is as right as the shortest of several answers, also where a busy process read the first one late', () => {
    const late = { askedAt: 0, answeredAt: 800, redisAt: started + 1 }
    const [later, prompt] = [
      { askedAt: 800, answeredAt: 1_400, redisAt: started + 801 },
      { askedAt: 1_400, answeredAt: 1_402, redisAt: started + 1_401 },
    ]
    expect(offsetAfter(null, late)).toBe(started - 399)
    expect([late, later, prompt].reduce<number | null>(offsetAfter, null)).toBe(started)
  })

  it('[M112] follows a clock that was set or drifts away', () => {
    expect(offsetAfter(started, { askedAt: 10, answeredAt: 12, redisAt: started + 60_011 })).toBe(
      started + 60_000,
    )
    expect(offsetAfter(started, { askedAt: 10, answeredAt: 12, redisAt: started + 8 })).toBe(started - 3)
  })
})
