import { describe, expect, it } from 'vitest'
import { dice, normal } from './dice.ts'

const many = (roll: () => number, count: number): number[] => Array.from({ length: count }, roll)

describe('dice', () => {
  it('[O17] give the same numbers for the same seed, and others for another', () => {
    expect(many(dice(7), 100)).toEqual(many(dice(7), 100))
    expect(many(dice(7), 3)).not.toEqual(many(dice(8), 3))
  })

  it('[O17] lie from 0 to 1 and are spread evenly', () => {
    const rolled = many(dice(1), 100_000)
    expect(rolled.every((each) => each >= 0 && each < 1)).toBe(true)
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const share = rolled.filter((each) => Math.floor(each * 10) === tenth).length / rolled.length
      expect(share).toBeCloseTo(0.1, 2)
    }
  })

  it('[O17] a normal one has mean 0 and standard deviation 1', () => {
    const roll = dice(3)
    const drawn = many(() => normal(roll), 100_000)
    const mean = drawn.reduce((sum, each) => sum + each, 0) / drawn.length
    const variance = drawn.reduce((sum, each) => sum + (each - mean) ** 2, 0) / drawn.length
    expect(mean).toBeCloseTo(0, 1)
    expect(variance).toBeCloseTo(1, 1)
  })
})
