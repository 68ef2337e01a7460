import { describe, expect, it } from 'vitest'
import { type Bound, growthOf, type Reading } from './growth.ts'

const mb = 2 ** 20
const bound: Bound = { warmUpMs: 60_000, share: 0.1, atLeast: 5 * mb }

/** A reading every five seconds for some minutes. */
function readings(minutes: number, value: (atMs: number, n: number) => number): readonly Reading[] {
  return Array.from({ length: minutes * 12 }, (_, n) => ({ atMs: n * 5_000, value: value(n * 5_000, n) }))
}

const saw = (n: number): number => ((n * 7) % 10) * 8 * mb

describe('what a soak makes of its readings', () => {
  it('[X40] a saw of garbage on level ground is flat, and so is a warm-up', () => {
    expect(
      growthOf(
        readings(10, (_at, n) => 80 * mb + saw(n)),
        bound,
      ).verdict,
    ).toBe('flat')
    const warming = readings(10, (at) => 80 * mb * Math.min(1, at / 50_000))
    expect(growthOf(warming, bound).verdict).toBe('flat')
  })

  it('[X40] a leak under the same saw grows, and is told per hour', () => {
    const growth = growthOf(
      readings(10, (at, n) => 80 * mb + saw(n) + (at / 60_000) * 3 * mb),
      bound,
    )
    expect(growth.verdict).toBe('grows')
    expect(growth.perHour / mb).toBeCloseTo(180, -1)
    expect(growth.grown).toBeGreaterThan(growth.allowed)
  })

  it('[X40] what shrinks is flat, and what rises by less than the bound is too', () => {
    expect(
      growthOf(
        readings(10, (at) => 200 * mb - at),
        bound,
      ).verdict,
    ).toBe('flat')
    expect(
      growthOf(
        readings(10, (at) => 80 * mb + (at / 60_000) * 0.5 * mb),
        bound,
      ).verdict,
    ).toBe('flat')
  })

  it('[X40] too little time after the warm-up says nothing, instead of passing for flat', () => {
    expect(
      growthOf(
        readings(1, (at) => at * mb),
        bound,
      ).verdict,
    ).toBe('short')
    expect(growthOf([], bound).verdict).toBe('short')
  })
})
