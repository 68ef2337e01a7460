// The kinds of trouble, and when they strike. A plan is drawn before the history begins; whom it hits is decided then.

import type { SeededDice } from './seeded-dice.ts'
import type { SimulatedReplica } from './simulated-replica.ts'
import { Life } from './virtual-clock.ts'
import type { SimulatedWorker } from './worker/simulated-worker.ts'
import type { World } from './world.ts'

export const faultKinds = [
  'store slow',
  'store out',
  'store out for one',
  'log broken',
  'clock off',
  'replica crashes',
  'replica stops',
  'worker crashes',
  'worker stops',
  'link cut',
  'link silent',
] as const

export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  readonly kind: FaultKind
  readonly atMs: number
  readonly forMs: number
  /** Which of the replicas or workers, and whether nobody is told. */
  readonly which: number
  readonly silently: boolean
}

export interface Cast {
  readonly replicas: readonly SimulatedReplica[]
  readonly workers: readonly SimulatedWorker[]
}

export function planFaults(dice: SeededDice, count: number, withinMs: number): readonly Fault[] {
  return Array.from({ length: count }, () => ({
    kind: dice.pick(faultKinds),
    atMs: dice.between(1_000, withinMs),
    // Short ones are over before anybody notices, long ones outlast a lease and its grace.
    forMs: dice.chance(0.5) ? dice.between(200, 5_000) : dice.between(5_000, 30_000),
    which: dice.between(0, 11),
    silently: dice.chance(0.3),
  }))
}

/** Its end, if it has one, comes by itself. */
export function strike(world: World, cast: Cast, fault: Fault): void {
  const { kind, forMs, which, silently } = fault
  world.trace.note('fault', `${kind}, ${forMs} ms, ${which}${silently ? ', silently' : ''}`)
  strokes[kind]({
    ...fault,
    world,
    cast,
    replica: cast.replicas[which % cast.replicas.length] as SimulatedReplica,
    worker: cast.workers[which % cast.workers.length] as SimulatedWorker,
    until: world.clock.now + forMs,
  })
}

interface Stroke extends Fault {
  readonly world: World
  readonly cast: Cast
  readonly replica: SimulatedReplica
  readonly worker: SimulatedWorker
  readonly until: number
}

const skewAtMostMs = 400

const strokes: Readonly<Record<FaultKind, (stroke: Stroke) => void>> = {
  'store slow': ({ world, forMs }) => world.weather.slow(forMs),
  'store out': ({ world, cast, forMs }) =>
    world.weather.takeOut(
      cast.replicas.map(({ name }) => name),
      forMs,
    ),
  'store out for one': ({ world, cast, replica, forMs, until }) => {
    disturb(cast, replica, until)
    world.weather.takeOut([replica.name], forMs)
  },
  'log broken': ({ replica }) => replica.breakFeeds(),
  'clock off': ({ world, replica }) => replica.skew(world.dice.between(-skewAtMostMs, skewAtMostMs)),
  'replica crashes': ({ world, cast, replica, forMs, silently }) => {
    disturb(cast, replica, Number.POSITIVE_INFINITY)
    replica.crash(silently)
    world.clock.after(new Life('fault'), forMs, () => replica.start())
  },
  'replica stops': ({ world, cast, replica, forMs, until }) => {
    disturb(cast, replica, until)
    halt(world, replica.life, forMs)
  },
  'worker crashes': ({ world, worker, forMs, silently }) => {
    worker.crash(silently)
    world.clock.after(new Life('fault'), forMs, () => worker.start())
  },
  'worker stops': ({ world, worker, forMs, until }) => {
    worker.disturbed(until)
    halt(world, worker.life, forMs)
  },
  'link cut': ({ worker }) => worker.breakLink(false),
  'link silent': ({ worker }) => worker.breakLink(true),
}

function halt({ clock, trace }: World, life: Life, forMs: number): void {
  clock.stop(life)
  clock.after(new Life('fault'), forMs, () => {
    trace.note('fault', `${life.name} goes on`)
    clock.resume(life)
  })
}

/** Whoever is connected there is not to blame for what follows. */
function disturb({ workers }: Cast, replica: SimulatedReplica, until: number): void {
  for (const worker of workers) if (worker.replica === replica) worker.disturbed(until)
}
