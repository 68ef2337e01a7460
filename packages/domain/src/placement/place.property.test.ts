import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Resources } from '../worker/resources.ts'
import { drawFlow } from './draw-flow.ts'
import { place } from './place.ts'
import type { PlacementPlan } from './plan.ts'
import { sampleClass, sampleRoom, sampleWorker, startsOf } from './sample-snapshot.ts'
import type { ClassDemand, PlacementSnapshot, RoomDemand, WorkerSupply } from './snapshot.ts'

const abilities = ['e0', 'e1', 'e2', 'e3']
const resourceNames: readonly (keyof Resources)[] = ['slots', 'cpu', 'memoryMb', 'gpu']

const classParts = fc.record({
  room: fc.nat({ max: 3 }),
  extension: fc.nat({ max: 3 }),
  band: fc.nat({ max: 15 }),
  pending: fc.nat({ max: 12 }),
  running: fc.nat({ max: 2 }),
  short: fc.boolean(),
  needs: fc.record({
    slots: fc.constantFrom(1, 1, 1, 2),
    cpu: fc.constantFrom(0, 0.1, 0.5, 2),
    memoryMb: fc.constantFrom(0, 500, 3_000),
    gpu: fc.constantFrom(0, 0, 0, 1),
    labels: fc.subarray(['cuda', 'fast'], { maxLength: 1 }),
  }),
})

const workerParts = fc.record({
  abilities: fc.subarray(abilities),
  labels: fc.subarray(['cuda', 'fast']),
  total: fc.record({
    slots: fc.integer({ min: 1, max: 8 }),
    cpu: fc.constantFrom(0.3, 2, 8),
    memoryMb: fc.constantFrom(1_000, 8_000),
    gpu: fc.constantFrom(0, 2),
  }),
  usedSlots: fc.nat({ max: 2 }),
  isWell: fc.boolean().map((coin) => coin || undefined),
  keptForShort: fc.nat({ max: 2 }),
})

const limits = fc.option(fc.nat({ max: 12 }), { nil: null })

const limited: fc.Arbitrary<PlacementSnapshot> = fc.record({
  rooms: fc
    .tuple(limits, limits, limits)
    .map((list) =>
      list.map(
        (limit, index): RoomDemand =>
          sampleRoom(`r${index}`, { limit, running: index, weight: 1 + (index % 2) }),
      ),
    ),
  classes: fc.array(classParts, { maxLength: 10 }).map((list) =>
    list.map((parts, index): ClassDemand => {
      const { room, extension, pending, ...rest } = parts
      return sampleClass(`r${room}/e${extension}`, pending, { ...rest, key: `class-${index}` })
    }),
  ),
  workers: fc.array(workerParts, { maxLength: 8 }).map((list) =>
    list.map(({ total, usedSlots, isWell, ...rest }, index): WorkerSupply => {
      const free = { ...total, slots: Math.max(0, total.slots - usedSlots) }
      const health =
        isWell === undefined && index % 3 === 0
          ? { ok: false as const, reason: 'load' }
          : { ok: true as const }
      return sampleWorker(`w${index}`, total.slots, rest.abilities, { ...rest, total, free, health })
    }),
  ),
  extensions: fc
    .tuple(limits, limits)
    .map((list) => list.map((maxRunning, index) => ({ extension: `e${index}`, running: index, maxRunning }))),
  maxRunning: fc.option(fc.nat({ max: 30 }), { nil: null }),
})

const unlimited: fc.Arbitrary<PlacementSnapshot> = limited.map(({ classes, workers }) => ({
  rooms: [],
  classes,
  workers,
}))

function freeAfter(
  snapshot: PlacementSnapshot,
  { assignments }: PlacementPlan,
  id: string,
): Resources & { common: number } {
  const { free, keptForShort } = snapshot.workers.find((worker) => worker.id === id)!
  const left = { ...free, common: free.slots - (keptForShort ?? 0) }
  for (const { class: key, worker, count } of assignments) {
    if (worker !== id) continue
    const { needs, short } = classOf(snapshot, key)
    for (const name of resourceNames) left[name] -= count * (needs?.[name] ?? 0)
    if (short !== true) left.common -= count * (needs?.slots ?? 1)
  }
  return { ...left, cpu: Math.round(left.cpu * 1_000) / 1_000, common: Math.min(left.common, left.slots) }
}

function classOf({ classes }: PlacementSnapshot, key: string): ClassDemand {
  return classes.find((one) => one.key === key)!
}

function couldTake(
  worker: WorkerSupply,
  { ability, needs, short }: ClassDemand,
  left: ReturnType<typeof freeAfter>,
): boolean {
  return (
    worker.health.ok &&
    worker.abilities.includes(ability) &&
    (needs?.labels ?? []).every((label) => worker.labels?.includes(label)) &&
    resourceNames.every((name) => left[name] >= (needs?.[name] ?? 0)) &&
    (short === true || left.common >= (needs?.slots ?? 1))
  )
}

function startsBy(
  snapshot: PlacementSnapshot,
  plan: PlacementPlan,
  group: (one: ClassDemand) => string,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { class: key, count } of plan.assignments) {
    const name = group(classOf(snapshot, key))
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return sums
}

describe('every plan', () => {
  it('[P8] no worker is given more slots, cores, memory or GPUs than it has free', () => {
    fc.assert(
      fc.property(limited, (snapshot) => {
        const plan = place(snapshot)
        for (const { id, health } of snapshot.workers) {
          const left = freeAfter(snapshot, plan, id)
          for (const name of resourceNames) expect(left[name]).toBeGreaterThanOrEqual(0)
          if (!health.ok) expect(plan.assignments.some(({ worker }) => worker === id)).toBe(false)
        }
      }),
      { numRuns: 500, seed: 20261115 },
    )
  })

  it('[P7] no limit of a room, an extension or the whole is exceeded, and no class starts more than it has', () => {
    fc.assert(
      fc.property(limited, (snapshot) => {
        const plan = place(snapshot)
        const byRoom = startsBy(snapshot, plan, ({ room }) => room)
        for (const { name, limit, running } of snapshot.rooms) {
          if (limit !== null) expect(byRoom.get(name) ?? 0).toBeLessThanOrEqual(Math.max(0, limit - running))
        }
        const byExtension = startsBy(snapshot, plan, ({ extension }) => extension)
        for (const { extension, maxRunning, running } of snapshot.extensions ?? []) {
          const left = Math.max(0, (maxRunning ?? 1_000) - running)
          expect(byExtension.get(extension) ?? 0).toBeLessThanOrEqual(left)
        }
        const total = plan.assignments.reduce((sum, { count }) => sum + count, 0)
        expect(total).toBeLessThanOrEqual(snapshot.maxRunning ?? 1_000)
        for (const [key, count] of Object.entries(startsOf(plan))) {
          expect(count).toBeLessThanOrEqual(classOf(snapshot, key).pending)
        }
      }),
      { numRuns: 500, seed: 20261115 },
    )
  })

  it('[P14] no worker is left with room for a job that waits, where there are no limits', () => {
    fc.assert(
      fc.property(unlimited, (snapshot) => {
        const plan = place(snapshot)
        for (const worker of snapshot.workers) {
          const left = freeAfter(snapshot, plan, worker.id)
          const idle = plan.waiting.filter(({ class: key }) =>
            couldTake(worker, classOf(snapshot, key), left),
          )
          expect(idle).toEqual([])
        }
      }),
      { numRuns: 500, seed: 20261115 },
    )
  })

  it('[P21] the same snapshot gives the same plan, in whatever order its lists are', () => {
    const shuffled = limited.chain((snapshot) =>
      fc.record({
        snapshot: fc.constant(snapshot),
        other: fc.record({
          ...Object.fromEntries(Object.entries(snapshot).map(([key, value]) => [key, fc.constant(value)])),
          rooms: permuted(snapshot.rooms),
          classes: permuted(snapshot.classes),
          workers: permuted(snapshot.workers).map((list) =>
            list.map((worker) => ({ ...worker, abilities: worker.abilities.toReversed() })),
          ),
          extensions: permuted(snapshot.extensions ?? []),
        }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ snapshot, other }) => {
        expect(place(other)).toEqual(place(snapshot))
      }),
      { numRuns: 500, seed: 20261115 },
    )
  })

  it('[P22] every job is either started or waits with a reason', () => {
    fc.assert(
      fc.property(limited, (snapshot) => {
        const plan = place(snapshot)
        const starts = startsOf(plan)
        const waiting = new Map(plan.waiting.map(({ class: key, count }) => [key, count]))
        for (const { key, pending } of snapshot.classes) {
          expect((starts[key] ?? 0) + (waiting.get(key) ?? 0)).toBe(pending)
        }
      }),
      { numRuns: 300, seed: 20261115 },
    )
  })

  it('[P16] a job that waits alone goes where it goes beside others', () => {
    // A class that offers nothing changes no plan, but it is company.
    const company = sampleClass('r0/nobody', 0)
    const lone = fc.record({ parts: classParts, among: unlimited }).map(({ parts, among }) => {
      const { room, extension, ...rest } = parts
      return { ...among, classes: [sampleClass(`r${room}/e${extension}`, 1, { ...rest, pending: 1 })] }
    })
    fc.assert(
      fc.property(lone, (snapshot) => {
        const beside = { ...snapshot, classes: [...snapshot.classes, company] }
        expect(place(snapshot)).toEqual(place(beside))
      }),
      { numRuns: 1_000, seed: 20261118 },
    )
  })

  it('[P20] the drawing carries exactly what the plan starts, within every capacity', () => {
    fc.assert(
      fc.property(limited, (snapshot) => {
        const plan = place(snapshot)
        const edges = drawFlow(snapshot, plan)
        const total = plan.assignments.reduce((sum, { count }) => sum + count, 0)
        for (const kind of ['room', 'class', 'sink'] as const) {
          const into = edges.filter(({ to }) => to.kind === kind)
          expect(into.reduce((sum, { flow }) => sum + flow, 0)).toBe(total)
        }
        for (const { flow, capacity } of edges) expect(flow).toBeLessThanOrEqual(capacity)
      }),
      { numRuns: 300, seed: 20261115 },
    )
  })
})

function permuted<Item>(list: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length })
}
