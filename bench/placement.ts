// How long a whole plan takes, from the snapshot to the reasons: once with twice as much waiting as can run, where the
// flow decides, and once where everything fits. The snapshots come from a seeded generator, so runs compare.

import {
  type ClassDemand,
  type PlacementSnapshot,
  place,
  type RoomName,
  type WorkerId,
} from '@millrace/domain'
import type { Bench, Figures } from './bench.ts'

const seed = 20261115
const warmUps = 60
const runs = 101

interface Size {
  readonly rooms: number
  readonly classes: number
  readonly pools: number
  /** Every so many pools there is one with two workers; the others have one. */
  readonly pairEvery: number
  readonly abilitiesPerClass: number
  /** Jobs pending for each job that could run. */
  readonly load: number
}

const crowded: Size = {
  rooms: 100,
  classes: 1_000,
  pools: 1_000,
  pairEvery: 4,
  abilitiesPerClass: 10,
  load: 2,
}
const roomy: Size = { ...crowded, load: 0.2 }

export const bench: Bench = { name: 'placement', run }

async function run(report: (line: string) => void): Promise<Figures> {
  const full = measure(makeSnapshot(crowded))
  report(`demand twice the supply: ${describe(full)}`)
  const fitting = measure(makeSnapshot(roomy))
  report(`everything fits: ${describe(fitting)}`)
  if (full.direct || !fitting.direct)
    throw new Error('A snapshot took the way that the other one is to measure.')
  return {
    plan_ms_1000x1000x10: quantile(full.times, 0.5),
    plan_p95_ms_1000x1000x10: quantile(full.times, 0.95),
    plan_ms_everything_fits: quantile(fitting.times, 0.5),
    runs,
    jobs_pending: full.pending,
    jobs_placed: full.placed,
    vector_rejects: full.vectorRejects,
  }
}

interface Measured {
  readonly times: readonly number[]
  readonly pending: number
  readonly placed: number
  readonly direct: boolean
  readonly vectorRejects: number
}

function measure(snapshot: PlacementSnapshot): Measured {
  let plan = place(snapshot)
  for (let round = 0; round < warmUps; round++) plan = place(snapshot)
  const times: number[] = []
  for (let round = 0; round < runs; round++) {
    const begin = performance.now()
    plan = place(snapshot)
    times.push(performance.now() - begin)
  }
  const pending = snapshot.classes.reduce((sum, one) => sum + one.pending, 0)
  const placed = plan.assignments.reduce((sum, { count }) => sum + count, 0)
  return {
    times: times.sort((a, b) => a - b),
    pending,
    placed,
    direct: plan.direct,
    vectorRejects: plan.vectorRejects,
  }
}

function describe({ times, pending, placed, vectorRejects }: Measured): string {
  const [low, high] = [quantile(times, 0), quantile(times, 1)]
  return `${pending} jobs pending, ${placed} placed, ${vectorRejects} rejected while packing, ${low.toFixed(2)} to ${high.toFixed(2)} ms`
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

function makeSnapshot(size: Size): PlacementSnapshot {
  const dice = new Dice(seed)
  const poolAbilities = Array.from({ length: size.pools }, (): string[] => [])
  for (let one = 0; one < size.classes; one++) {
    for (const pool of dice.distinct(size.abilitiesPerClass, size.pools)) {
      poolAbilities[pool]?.push(`extension-${one}@1`)
    }
  }
  const workers = poolAbilities.flatMap((abilities, pool) =>
    Array.from({ length: pool % size.pairEvery === 0 ? 2 : 1 }, (_, index) => {
      const total = { slots: 4, cpu: 8, memoryMb: 16_384, gpu: pool % 2 === 0 ? 2 : 0 }
      const used = dice.below(4)
      const free = { ...total, slots: 4 - used, cpu: 8 - used, memoryMb: 16_384 - 2_048 * used }
      return {
        id: `worker-${pool}-${index}` as WorkerId,
        abilities,
        total,
        free,
        health: { ok: true as const },
      }
    }),
  )
  const supply = workers.reduce((sum, { free }) => sum + free.slots, 0)
  return asRead({
    rooms: Array.from({ length: size.rooms }, (_, room) => ({
      name: `room-${room}` as RoomName,
      limit: room % 5 === 0 ? 100 : null,
      running: dice.below(10),
      weight: room % 7 === 0 ? 2 : 1,
    })),
    classes: makeClasses(size, (supply * size.load) / size.classes, dice),
    workers,
  })
}

/** As if it had come over a wire: every worker has strings of its own, none shared with another or with a class. */
function asRead(snapshot: PlacementSnapshot): PlacementSnapshot {
  return JSON.parse(JSON.stringify(snapshot))
}

function makeClasses({ classes, rooms }: Size, meanPending: number, dice: Dice): ClassDemand[] {
  return Array.from({ length: classes }, (_, one) => ({
    key: `room-${one % rooms}/extension-${one}@1`,
    room: `room-${one % rooms}` as RoomName,
    extension: `extension-${one}`,
    ability: `extension-${one}@1`,
    band: dice.below(16),
    pending: Math.max(1, Math.round(meanPending * (0.5 + dice.next()))),
    needs: {
      slots: 1,
      cpu: 0.5 + dice.below(4) / 2,
      memoryMb: 1_024 * (1 + dice.below(4)),
      gpu: one % 10 === 0 ? 1 : 0,
    },
  }))
}

/** Mulberry32: small, even enough for loads, and the same everywhere. */
class Dice {
  private state: number

  constructor(from: number) {
    this.state = from
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  distinct(count: number, end: number): Set<number> {
    const drawn = new Set<number>()
    while (drawn.size < count) drawn.add(this.below(end))
    return drawn
  }
}
