import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { correctionOf, narrowed, unknownSkew } from './server-clock.ts'

const hear = (skewMs: number, offsets: readonly number[]) =>
  offsets.reduce((skew, offset) => {
    const serverTime = 1_000_000 + offset
    return narrowed(skew, serverTime + skewMs, Math.floor(serverTime / 1_000) * 1_000)
  }, unknownSkew)

describe("the server's time", () => {
  it('[U41] is taken as it is while equal clocks explain what was heard', () => {
    expect(correctionOf(unknownSkew)).toBe(0)
    expect(correctionOf(hear(0, [0, 350, 999]))).toBe(0)
  })

  it('[U41] is found to within a second, and closer with every reply', () => {
    const cases = fc.tuple(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.array(fc.nat(60_000), { minLength: 1, maxLength: 20 }),
    )
    fc.assert(
      fc.property(cases, ([skewMs, offsets]) => {
        expect(Math.abs(correctionOf(hear(skewMs, offsets)) - skewMs)).toBeLessThanOrEqual(1_000)
      }),
      { seed: 6 },
    )
  })

  it('[U41] a clock that was set since counts as it is now', () => {
    const before = hear(0, [100, 900])
    expect(correctionOf(narrowed(before, 2_000_000 + 90_000, 2_000_000))).toBeCloseTo(89_500, 0)
  })
})
