import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShort, keepForShort, keptSlots, type RunLengths } from './keep-for-short.ts'
import { place } from './place.ts'
import { sampleClass, sampleWorker, startsOf } from './sample-snapshot.ts'

describe('the slots a pool keeps', () => {
  it.each([
    [10, 0.2, 2],
    [5, 0.2, 1],
    [3, 0.2, 1],
    [2, 0.2, 0],
    [1, 0.2, 0],
    [1, 0.9, 0],
    [2, 0.9, 1],
    [10, 0, 0],
    [0, 0.5, 0],
  ])('[P23] of %i with a share of %f are %i', (total, share, kept) => {
    expect(keptSlots(total, share)).toBe(kept)
  })

  it.each([
    ['nothing runs', { total: 10, free: 10, heldByLong: 0 }, 2],
    ['long jobs hold all they may', { total: 10, free: 2, heldByLong: 8 }, 2],
    ['short jobs hold the kept ones', { total: 10, free: 4, heldByLong: 4 }, 0],
    ['short jobs hold some that are open to all', { total: 10, free: 3, heldByLong: 2 }, 0],
    ['long jobs hold more than they may now', { total: 10, free: 1, heldByLong: 9 }, 1],
    ['nothing is free', { total: 10, free: 0, heldByLong: 8 }, 0],
  ])('[P23] are among the free ones, when %s', (_when, use, kept) => {
    expect(keepForShort(use, 0.2)).toBe(kept)
  })

  it('[P23] whatever comes and goes, long jobs never hold the kept slots, and a short one waits for no long one', () => {
    const step = fc.record({
      long: fc.nat({ max: 4 }),
      short: fc.nat({ max: 4 }),
      endLong: fc.nat({ max: 3 }),
      endShort: fc.nat({ max: 3 }),
    })
    const life = fc.record({
      total: fc.integer({ min: 1, max: 12 }),
      share: fc.double({ min: 0, max: 0.9, noNaN: true }),
      steps: fc.array(step, { minLength: 1, maxLength: 30 }),
    })
    fc.assert(
      fc.property(life, ({ total, share, steps }) => {
        const held = { long: 0, short: 0 }
        for (const { long, short, endLong, endShort } of steps) {
          held.long -= Math.min(held.long, endLong)
          held.short -= Math.min(held.short, endShort)
          const use = { total, free: total - held.long - held.short, heldByLong: held.long }
          const worker = sampleWorker('w', total, ['long', 'short'], {
            free: { slots: use.free, cpu: 0, memoryMb: 0, gpu: 0 },
            keptForShort: keepForShort(use, share),
          })
          const classes = [sampleClass('a/long', long), sampleClass('b/short', short, { short: true })]
          const starts = startsOf(place({ rooms: [], classes, workers: [worker] }))
          held.long += starts['a/long'] ?? 0
          held.short += starts['b/short'] ?? 0

          const kept = keptSlots(total, share)
          expect(held.long + held.short).toBeLessThanOrEqual(total)
          expect(held.long).toBeLessThanOrEqual(total - kept)
          if ((starts['b/short'] ?? 0) < short) expect(held.short).toBeGreaterThanOrEqual(kept)
          if ((starts['a/long'] ?? 0) < long) {
            expect(held.long === total - kept || held.long + held.short === total).toBe(true)
          }
        }
      }),
      { seed: 4, numRuns: 500 },
    )
  })
})

describe('whether an extension is short', () => {
  const unknown: RunLengths = { measured: 0, below: 0, promised: false, runLimitMs: null }

  it.each<[string, Partial<RunLengths>, boolean]>([
    ['nothing is known', {}, false],
    ['its policy says so', { promised: true }, true],
    ['its jobs are killed before they could be long', { runLimitMs: 5_000 }, true],
    ['its jobs are killed later', { runLimitMs: 5_001 }, false],
    ['all of its runs were', { measured: 3, below: 3 }, true],
    ['95 of 100 were', { measured: 100, below: 95 }, true],
    ['94 of 100 were', { measured: 100, below: 94 }, false],
    ['it promised to be and is not', { promised: true, measured: 1, below: 0 }, false],
    ['it never promised and is', { measured: 1, below: 1, runLimitMs: 60_000 }, true],
  ])('[P24] when %s', (_when, known, short) => {
    expect(isShort({ ...unknown, ...known }, 5_000)).toBe(short)
  })
})

describe('why a class waits while slots are kept', () => {
  const noWorker = { cpu: 0, memoryMb: 0, gpu: 0 }
  const worker = (free: number, keptForShort: number, id = 'w') =>
    sampleWorker(id, 5, ['long', 'short'], { free: { ...noWorker, slots: free }, keptForShort })
  const whyOf = (...[workers, short]: [ReturnType<typeof worker>[], number?]) => {
    const classes = [sampleClass('a/long', 3), sampleClass('b/short', short ?? 0, { short: true })]
    return place({ rooms: [], classes, workers }).waiting.find((one) => one.class === 'a/long')?.why
  }

  it('[P25] a long one is told that the free slots are kept, and how many', () => {
    expect(whyOf([worker(1, 1)])).toEqual({ reason: 'kept_for_short', slots: 1 })
    expect(whyOf([worker(2, 1), worker(1, 1, 'v')])).toEqual({ reason: 'kept_for_short', slots: 2 })
  })

  it('[P25] once short ones have taken them, all slots are busy', () => {
    expect(whyOf([worker(1, 1)], 1)).toEqual({ reason: 'all_slots_busy', scarce: 'slots' })
    expect(whyOf([worker(0, 0)])).toEqual({ reason: 'all_slots_busy', scarce: 'slots' })
  })

  it('[P25] a short one is never told so', () => {
    const classes = [sampleClass('b/short', 3, { short: true })]
    const [waiting] = place({ rooms: [], classes, workers: [worker(1, 1)] }).waiting
    expect(waiting?.why).toEqual({ reason: 'all_slots_busy', scarce: 'slots' })
  })
})
