import { describe, expect, it } from 'vitest'
import { dice } from '../dice.ts'
import { PiEstimate } from './pi-estimate.ts'

describe('an estimate of π', () => {
  it('[O17] lies within four times its uncertainty, which falls with the root of the points', () => {
    const estimate = new PiEstimate(dice(1))
    estimate.throwDarts(10_000)
    const early = estimate.now
    estimate.throwDarts(990_000)
    const late = estimate.now
    for (const { value, uncertainty } of [early, late]) {
      expect(Math.abs(value - Math.PI)).toBeLessThan(4 * uncertainty)
    }
    expect(early.uncertainty / late.uncertainty).toBeCloseTo(10, 0)
  })

  it('[O17] is 4 when all points hit and 0 when none does', () => {
    const [hits, misses] = [new PiEstimate(() => 0), new PiEstimate(() => 0.99)]
    for (const each of [hits, misses]) each.throwDarts(10)
    expect([hits.now.value, misses.now.value]).toEqual([4, 0])
  })

  it('[O17] does not depend on how the points are dealt out', () => {
    const [atOnce, bitByBit] = [new PiEstimate(dice(5)), new PiEstimate(dice(5))]
    atOnce.throwDarts(5_000)
    for (let part = 0; part < 50; part += 1) bitByBit.throwDarts(100)
    expect(bitByBit.path).toEqual(atOnce.path)
    expect(atOnce.path.at(-1)).toEqual(atOnce.now)
  })
})
