import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { band, boostMs, score } from './order.ts'
import { sampleStart, sampleSubmission } from './sample-job.ts'

const seed = 20_261_115
const priority = fc.integer({ min: 0, max: 10 })

describe('order', () => {
  it.each([
    ['plain', { priority: 0 }, sampleStart],
    ['boosted', { priority: 10 }, sampleStart - 600_000],
    ['delayed', { priority: 0, notBefore: sampleStart + 5 }, sampleStart + 5],
    ['delayed in the past', { priority: 0, notBefore: sampleStart - 5 }, sampleStart],
  ])('[J43] the score of a %s job', (_case, changes, expected) => {
    expect(score(sampleSubmission(changes))).toBe(expected)
  })

  it('[J43] of two jobs submitted together the one with the higher priority goes first', () => {
    fc.assert(
      fc.property(priority, priority, (one, other) => {
        fc.pre(one > other)
        expect(score(sampleSubmission({ priority: one }))).toBeLessThan(
          score(sampleSubmission({ priority: other })),
        )
      }),
      { seed },
    )
  })

  it('[J44] nobody overtakes a job who comes later than a minute per step of priority', () => {
    fc.assert(
      fc.property(priority, priority, fc.nat(), (low, high, lateMs) => {
        const waiting = sampleSubmission({ priority: low })
        const createdAt = sampleStart + Math.max(0, high - low) * boostMs + lateMs + 1
        expect(score(waiting)).toBeLessThan(score(sampleSubmission({ priority: high, createdAt })))
      }),
      { seed },
    )
  })

  it('[J44] the lowest job is served although a higher one arrives every second', () => {
    const queue = [score(sampleSubmission({ priority: 0 }))]
    const lowest = queue[0]
    let served = 0
    while (queue.includes(lowest as number)) {
      served++
      queue.push(score(sampleSubmission({ priority: 10, createdAt: sampleStart + served * 1_000 })))
      queue.sort((one, other) => one - other)
      queue.shift()
    }
    expect(served).toBeLessThanOrEqual(601)
  })

  it.each([
    [0, 0, 0],
    [10, 0, 10],
    [3, 120_000, 5],
    [10, 3_600_000, 15],
    [0, -500_000, 0],
  ])('[J45] priority %d after %d ms is in band %d', (step, waitedMs, expected) => {
    expect(band(score(sampleSubmission({ priority: step })), sampleStart + waitedMs)).toBe(expected)
  })
})
