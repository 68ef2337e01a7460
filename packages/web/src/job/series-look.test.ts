import { describe, expect, it } from 'vitest'
import { mostSeries } from './figure.ts'
import { lookOfSeries } from './series-look.ts'

describe('the series of a figure', () => {
  const looks = Array.from({ length: mostSeries }, (_, index) => lookOfSeries(index))

  it('[U126] lines are told apart without their colours', () => {
    expect(new Set(looks.map(({ dash, strokePx }) => `${dash}/${strokePx}`)).size).toBe(mostSeries)
  })

  it('[U126] points are told apart without their colours', () => {
    expect(new Set(looks.map(({ shape, hollow }) => `${shape}/${hollow}`)).size).toBe(mostSeries)
  })

  it('[U126] a single series is a plain line', () => {
    expect(lookOfSeries(0)).toMatchObject({ dash: undefined, strokePx: 1.4, hollow: false })
  })
})
