import { describe, expect, it } from 'vitest'
import { histogramOf } from './histogram.ts'

const of = (numbers: readonly number[], bins = 0) => histogramOf(Float64Array.from(numbers), bins)

describe('a histogram', () => {
  it('[O17] counts each number once, the greatest in the last bin', () => {
    expect(of([0, 1, 2, 3, 4, 5, 6, 7, 8, 10], 5)).toMatchObject({
      counts: [2, 2, 2, 2, 2],
      middles: [1, 3, 5, 7, 9],
      binWidth: 2,
      count: 10,
    })
  })

  it('[O17] describes the numbers', () => {
    const { mean, standardDeviation, least, greatest } = of([2, 4, 4, 4, 5, 5, 7, 9])
    expect({ mean, least, greatest }).toEqual({ mean: 5, least: 2, greatest: 9 })
    expect(standardDeviation).toBeCloseTo(Math.sqrt(32 / 7), 12)
  })

  it('[O17] chooses the width of its bins by the data', () => {
    const { binWidth, counts } = of(Array.from({ length: 1_000 }, (_, n) => n))
    // Half of the numbers span 499.5, and 2 × 499.5 / 10 is 99.9, rounded to whole bins.
    expect(binWidth).toBeCloseTo(99.9, 10)
    expect(counts).toHaveLength(10)
  })

  it.each([[[3]], [[3, 3, 3]]])('[O17] %j has one bin', (numbers) => {
    expect(of(numbers, 7)).toMatchObject({ counts: [numbers.length], middles: [3], standardDeviation: 0 })
  })
})
