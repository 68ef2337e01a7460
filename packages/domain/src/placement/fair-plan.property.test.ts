import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { place } from './place.ts'
import { sampleClass, sampleRoom, sampleWorker, startsOf } from './sample-snapshot.ts'
import type { PlacementSnapshot } from './snapshot.ts'

interface SmallRoom {
  readonly running: number
  readonly weight: number
  readonly limit: number | null
}

interface SmallClass {
  readonly room: number
  readonly band: number
  readonly pending: number
  readonly pools: readonly boolean[]
}

interface Small {
  readonly rooms: readonly SmallRoom[]
  readonly classes: readonly SmallClass[]
  readonly slots: readonly number[]
}

function smallInstances(
  weights: readonly number[],
  headroom: readonly (number | null)[],
): fc.Arbitrary<Small> {
  return fc.record({
    rooms: fc.array(
      fc
        .record({
          running: fc.nat({ max: 2 }),
          weight: fc.constantFrom(...weights),
          left: fc.constantFrom(...headroom),
        })
        .map(({ running, weight, left }) => ({
          running,
          weight,
          limit: left === null ? null : running + left,
        })),
      { minLength: 3, maxLength: 3 },
    ),
    classes: fc.array(
      fc.record({
        room: fc.nat({ max: 2 }),
        band: fc.nat({ max: 2 }),
        pending: fc.constantFrom(1, 1, 2, 3),
        pools: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      }),
      { minLength: 3, maxLength: 7, size: 'max' },
    ),
    slots: fc.array(fc.constantFrom(0, 1, 1, 2), { minLength: 4, maxLength: 4 }),
  })
}

function snapshotOf({ rooms, classes, slots }: Small): PlacementSnapshot {
  return {
    rooms: rooms.map((room, index) => sampleRoom(`r${index}`, room)),
    classes: classes.map(({ room, band, pending }, index) =>
      sampleClass(`r${room}/e${index}`, pending, { band }),
    ),
    workers: slots.map((free, pool) => {
      const abilities = [...classes.keys()].filter((one) => classes[one]!.pools[pool]).map((one) => `e${one}`)
      return sampleWorker(`w${pool}`, free, [...abilities, `own${pool}`])
    }),
  }
}

/** All ways to serve the classes that the limits and (Hall's theorem) the slots allow. */
function feasibleCounts({ rooms, classes, slots }: Small): number[][] {
  const sets = Array.from({ length: 2 ** classes.length - 1 }, (_, set) => {
    const members = [...classes.keys()].filter((one) => ((set + 1) >> one) % 2 === 1)
    const reachable = slots.filter((_free, pool) => members.some((one) => classes[one]!.pools[pool]))
    return { members, most: reachable.reduce((sum, free) => sum + free, 0) }
  })
  for (const [room, { limit, running }] of rooms.entries()) {
    const members = [...classes.keys()].filter((one) => classes[one]!.room === room)
    if (limit !== null) sets.push({ members, most: Math.max(0, limit - running) })
  }
  const isFeasible = (served: readonly number[]): boolean =>
    sets.every(({ members, most }) => members.reduce((sum, one) => sum + (served[one] ?? 0), 0) <= most)
  return classes.reduce<number[][]>(
    (known, { pending }) =>
      known
        .flatMap((served) => Array.from({ length: pending + 1 }, (_, count) => [...served, count]))
        .filter(isFeasible),
    [[]],
  )
}

function roomTotals(classes: readonly SmallClass[], served: readonly number[]): number[] {
  const totals = [0, 0, 0]
  for (const [one, { room }] of classes.entries()) totals[room]! += served[one]!
  return totals
}

/** The turns taken, as (level, room), lowest first: the fairest division is the one whose list comes first. */
function turnsTaken({ rooms }: Small, totals: readonly number[]): number[] {
  return rooms
    .flatMap(({ running, weight }, room) =>
      Array.from({ length: totals[room]! }, (_, turn) => [(running + turn) / weight, room] as const),
    )
    .sort(([a, x], [b, y]) => a - b || x - y)
    .flat()
}

/** What each room got in each band, the highest band first, in it the room that runs least for its weight. */
function bandCounts({ rooms, classes }: Small, served: readonly number[]): number[] {
  const level = ({ running, weight }: SmallRoom): number => running / weight
  const order = [...rooms.keys()].sort((a, b) => level(rooms[a]!) - level(rooms[b]!) || a - b)
  return [2, 1, 0].flatMap((band) =>
    order.map((room) =>
      classes.reduce(
        (sum, one, index) => sum + (one.room === room && one.band === band ? served[index]! : 0),
        0,
      ),
    ),
  )
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  if (at < 0) return other.length - one.length
  return at >= other.length ? -1 : one[at]! - other[at]!
}

function servedBy(small: Small): number[] {
  const starts = startsOf(place(snapshotOf(small)))
  return small.classes.map(({ room }, index) => starts[`r${room}/e${index}`] ?? 0)
}

describe('a fair plan', () => {
  it('[P3] the rooms get what an exhaustive search finds fairest, with weights and limits', () => {
    fc.assert(
      fc.property(smallInstances([1, 2, 3], [null, null, 0, 1, 3]), (small) => {
        const best = feasibleCounts(small)
          .map((served) => turnsTaken(small, roomTotals(small.classes, served)))
          .reduce((first, next) => (compareLists(next, first) < 0 ? next : first))
        expect(turnsTaken(small, roomTotals(small.classes, servedBy(small)))).toEqual(best)
      }),
      { numRuns: 1_500, seed: 20261115 },
    )
  })

  it('[P3] the room that stands lowest stands as high as it can, then the next, where weights are equal', () => {
    fc.assert(
      fc.property(smallInstances([1], [null]), (small) => {
        const standings = (served: readonly number[]): number[] =>
          roomTotals(small.classes, served)
            .map((total, room) => total + small.rooms[room]!.running)
            .sort((a, b) => a - b)
        const best = feasibleCounts(small)
          .map(standings)
          .reduce((highest, next) => (compareLists(next, highest) > 0 ? next : highest))
        expect(standings(servedBy(small))).toEqual(best)
      }),
      { numRuns: 1_500, seed: 20261116 },
    )
  })

  it('[P5] the bands of each room are what an exhaustive search over all fair divisions finds highest', () => {
    fc.assert(
      fc.property(smallInstances([1, 2], [null, null, 2]), (small) => {
        const served = servedBy(small)
        const totals = roomTotals(small.classes, served)
        const best = feasibleCounts(small)
          .filter((other) => compareLists(roomTotals(small.classes, other), totals) === 0)
          .map((other) => bandCounts(small, other))
          .reduce((highest, next) => (compareLists(next, highest) > 0 ? next : highest))
        expect(bandCounts(small, served)).toEqual(best)
      }),
      { numRuns: 1_500, seed: 20261117 },
    )
  })
})
