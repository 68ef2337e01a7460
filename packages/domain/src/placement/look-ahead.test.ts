import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomName } from '../ids.ts'
import { type Ahead, isQuick, lookAhead } from './look-ahead.ts'
import { place } from './place.ts'
import { sampleClass, sampleRoom, sampleWorker, startsOf } from './sample-snapshot.ts'
import type { PlacementSnapshot } from './snapshot.ts'

/** As quick as can be; `merelyQuick` is what takes some milliseconds. */
const quick = { quick: true, instant: true } as const
const merelyQuick = { quick: true } as const
const slots = 2

function ahead(free: number, perRoom = free, held: Record<string, number> = {}): Ahead {
  return { slots, free, perRoom, held: new Map(Object.entries(held) as [RoomName, number][]) }
}

function early(snapshot: PlacementSnapshot): Record<string, number> {
  const { assignments } = place(snapshot)
  return startsOf({ ...place(snapshot), assignments: lookAhead(snapshot, assignments) })
}

describe('which extensions are quick', () => {
  it.each([
    [19, 19, false],
    [20, 20, true],
    [100, 95, true],
    [100, 94, false],
    [0, 0, false],
  ])('[P40] of %i runs %i below the bound: %s', (measured, below, expected) => {
    expect(isQuick(measured, below)).toBe(expected)
  })
})

describe('jobs handed over early', () => {
  it('[P41] are those that are left when every slot has its job', () => {
    const worker = sampleWorker('w', 2, ['Noop'], { ahead: ahead(10) })
    const snapshot = {
      rooms: [sampleRoom('a')],
      classes: [sampleClass('a/Noop', 7, quick)],
      workers: [worker],
    }
    expect(startsOf(place(snapshot))).toEqual({ 'a/Noop': 2 })
    expect(early(snapshot)).toEqual({ 'a/Noop': 5 })
  })

  it.each<[string, Partial<PlacementSnapshot>]>([
    ['its class is not quick', { classes: [sampleClass('a/Noop', 7)] }],
    ['its class is paused', { classes: [sampleClass('a/Noop', 7, { ...quick, pausedBy: 'ann' })] }],
    ['its room has a limit', { rooms: [sampleRoom('a', { limit: 5 })] }],
    [
      'its extension has a limit or a breaker',
      { extensions: [{ extension: 'Noop', running: 0, breaker: { state: 'open', until: 9 } }] },
    ],
    ['the whole has a limit', { maxRunning: 5 }],
    ['starts are slowed', { maxStartsPerClass: 3 }],
    ['the worker does not offer it', { workers: [sampleWorker('w', 2, ['Noop'])] }],
    ['the worker cannot do it', { workers: [sampleWorker('w', 2, ['Relax'], { ahead: ahead(10) })] }],
    [
      'the worker is unfit',
      {
        workers: [
          sampleWorker('w', 2, ['Noop'], {
            ahead: ahead(10),
            health: { ok: false, reason: 'load' } as never,
          }),
        ],
      },
    ],
    [
      'the worker is leaving',
      { workers: [sampleWorker('w', 2, ['Noop'], { ahead: ahead(10), draining: true })] },
    ],
  ])('[P42] no job is when %s', (_why, change) => {
    const whole: PlacementSnapshot = {
      rooms: [sampleRoom('a')],
      classes: [sampleClass('a/Noop', 7, quick)],
      workers: [sampleWorker('w', 2, ['Noop'], { ahead: ahead(10) })],
      ...change,
    }
    expect(early(whole)).toEqual({})
  })

  it('[P42] no job is put behind one that may take long, even if that begins only now', () => {
    const worker = sampleWorker('w', 2, ['Noop', 'Relax'], { ahead: ahead(10) })
    const classes = [sampleClass('a/Noop', 7, quick), sampleClass('b/Relax', 1)]
    expect(early({ rooms: [sampleRoom('a'), sampleRoom('b')], classes, workers: [worker] })).toEqual({})
  })

  it('[P43] of one room hold no more of a worker than it gives to one room, and another finds its place', () => {
    const busy = sampleWorker('w', 2, ['Noop'], {
      free: { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 },
      ahead: ahead(6, 8, { a: 8 }),
    })
    const rooms = [sampleRoom('a', { running: 8 }), sampleRoom('b')]
    const classes = [sampleClass('a/Noop', 100_000, quick), sampleClass('b/Noop', 3, quick)]
    expect(early({ rooms, classes, workers: [busy] })).toEqual({ 'b/Noop': 3 })
  })

  it('[P43] of several rooms share what is free, by bands within a room', () => {
    const worker = sampleWorker('w', 1, ['Noop', 'Tick'], {
      free: { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 },
      ahead: ahead(9),
    })
    const classes = [
      sampleClass('a/Noop', 50, quick),
      sampleClass('b/Noop', 50, quick),
      sampleClass('b/Tick', 2, { ...quick, band: 3 }),
      sampleClass('c/Noop', 1, quick),
    ]
    const rooms = ['a', 'b', 'c'].map((name) => sampleRoom(name))
    expect(early({ rooms, classes, workers: [worker] })).toEqual({
      'a/Noop': 4,
      'b/Noop': 2,
      'b/Tick': 2,
      'c/Noop': 1,
    })
  })

  it.each([
    ['a room of instant jobs all that the worker gives to a room', quick, 50, {}, 50],
    ['a room of quick jobs three for each slot beyond the slots', merelyQuick, 50, {}, slots + 3 * slots],
    ['a room of quick jobs only what others leave of six', merelyQuick, 50, { b: slots + 5 * slots }, slots],
    ['a room of quick jobs nothing beside more than that', merelyQuick, 50, { b: 40 }, 0],
    ['a room of quick jobs no more than the worker takes', merelyQuick, 3, {}, 3],
  ])('[P45] hold of a worker: %s', (_what, kind, free, held, expected) => {
    const worker = sampleWorker('w', slots, ['Noop'], {
      free: { slots: 0, cpu: 0, memoryMb: 0, gpu: 0 },
      ahead: ahead(free, 50, held),
    })
    const classes = [sampleClass('a/Noop', 1_000, kind)]
    const given = early({ rooms: [sampleRoom('a')], classes, workers: [worker] })
    expect(given['a/Noop'] ?? 0).toBe(expected)
  })

  it('[P44] are never more than wait, than a worker takes, or than it gives to a room', () => {
    const scene = fc.record({
      pending: fc.array(fc.nat({ max: 40 }), { minLength: 3, maxLength: 3 }),
      workers: fc.array(
        fc.record({ slots: fc.nat({ max: 4 }), more: fc.nat({ max: 20 }), perRoom: fc.nat({ max: 20 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    })
    fc.assert(
      fc.property(scene, ({ pending, workers }) => {
        const snapshot: PlacementSnapshot = {
          rooms: pending.map((_, n) => sampleRoom(`r${n}`)),
          classes: pending.map((count, n) => sampleClass(`r${n}/Noop`, count, quick)),
          workers: workers.map(({ slots, more, perRoom }, n) =>
            sampleWorker(`w${n}`, slots, ['Noop'], { ahead: ahead(slots + more, slots + perRoom) }),
          ),
        }
        const plan = place(snapshot)
        const all = [...plan.assignments, ...lookAhead(snapshot, plan.assignments)]
        for (const [n, { slots, more, perRoom }] of workers.entries()) {
          const its = all.filter(({ worker }) => worker === `w${n}`)
          expect(its.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(slots + more)
          for (let room = 0; room < pending.length; room++) {
            const held = its
              .filter((one) => one.class === `r${room}/Noop`)
              .reduce((sum, { count }) => sum + count, 0)
            expect(held).toBeLessThanOrEqual(slots + perRoom)
          }
        }
        const starts = startsOf({ ...plan, assignments: all })
        for (const [n, count] of pending.entries())
          expect(starts[`r${n}/Noop`] ?? 0).toBeLessThanOrEqual(count)
      }),
      { seed: 40, numRuns: 300 },
    )
  })
})
