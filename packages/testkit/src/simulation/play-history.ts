// One history: a small cluster, a few dozen jobs and some faults, all from one seed; then calm, until everything has
// come to rest. What must hold while it runs is the ledger's business, what must hold at the end stands in at-rest.ts.

import { leaseMs } from '@millrace/domain'
import { changeRoom, createRoom, Rooms } from '@millrace/server'
import { restProblems } from './at-rest.ts'
import { type Cast, type Fault, planFaults, strike } from './fault.ts'
import { Ledger } from './ledger.ts'
import { noBug, type PlantedBug } from './planted-bug.ts'
import { SeededDice } from './seeded-dice.ts'
import { SimulatedClient } from './simulated-client.ts'
import { SimulatedReplica } from './simulated-replica.ts'
import { SimulatedStore } from './simulated-store.ts'
import { StoreWeather } from './store-weather.ts'
import { Trace } from './trace.ts'
import { Life, VirtualClock } from './virtual-clock.ts'
import { withVirtualTimers } from './virtual-timers.ts'
import { SimulatedWorker } from './worker/simulated-worker.ts'
import { everybody, extensions, rooms, type World } from './world.ts'

export interface History {
  readonly seed: number
  /** The first thing that must never be, with what led to it; null when there was none. */
  readonly problem: string | null
  readonly hash: string
  readonly events: number
  readonly jobs: number
  readonly faults: readonly Fault[]
  /** How much virtual time passed. */
  readonly lastedMs: number
}

const startAt = Date.UTC(2026, 0, 1)
const submitsWithinMs = 20_000
const faultsWithinMs = 35_000
const griefShare = 0.01
/** From here on nothing new goes wrong, and what is wrong is mended. */
const calmAfterMs = 48_000
/** After the last job: long enough for leases to end and for what is half done to be done again. */
const settleMs = 12_000
/** An event that a worker made by returning late is still on its way to the replicas; in calm none takes longer. */
const travelMs = 1_000
/** A history that has not come to rest by then never will. Most take a minute. */
const restWithinMs = 1_200_000
const eventsAtMost = 200_000

export async function playHistory(seed: number, bug: PlantedBug = noBug): Promise<History> {
  const clock = new VirtualClock(startAt)
  return withVirtualTimers(clock, () => new Play(seed, clock, bug).run())
}

class Play {
  readonly #seed: number
  readonly #dice: SeededDice
  readonly #clock: VirtualClock
  readonly #trace: Trace
  readonly #world: World
  readonly #cast: Cast
  readonly #client: SimulatedClient
  readonly #director = new Life('director')
  readonly #faults: readonly Fault[]
  #problem: string | null = null
  #restingSince = Number.POSITIVE_INFINITY
  #lookAgainAt = 0

  constructor(seed: number, clock: VirtualClock, bug: PlantedBug) {
    this.#seed = seed
    this.#clock = clock
    this.#dice = new SeededDice(`${seed}`)
    this.#trace = new Trace(() => clock.now)
    this.#world = this.#makeWorld(bug)
    const replicas = ['east', 'west'].map((name) => new SimulatedReplica(this.#world, name))
    const plan = this.#dice.fork('plan')
    const workers = Array.from(
      { length: 3 },
      (_, n) => new SimulatedWorker(this.#world, `worker-${n}`, plan.between(1, 3), replicas),
    )
    this.#cast = { replicas, workers }
    this.#client = new SimulatedClient(this.#world, replicas)
    this.#faults = planFaults(plan.fork('faults'), plan.between(3, 9), faultsWithinMs)
    this.#arrange(plan)
  }

  async run(): Promise<History> {
    await this.#furnish()
    for (const one of [...this.#cast.replicas, ...this.#cast.workers]) one.start()
    await this.#clock.run(() => this.#isOver())
    if (this.#problem === null) this.#lookAtRest()
    return {
      seed: this.#seed,
      problem: this.#problem,
      hash: this.#trace.hash(),
      events: this.#clock.ran,
      jobs: this.#world.ledger.jobs.size,
      faults: this.#faults,
      lastedMs: this.#clock.now - startAt,
    }
  }

  #makeWorld(bug: PlantedBug): World {
    const clock = this.#clock
    const now = (): number => clock.now
    const problem = (text: string): void => this.#fail(text)
    const ledger = new Ledger({
      now,
      note: (who, what) => this.#trace.note(who, what),
      onProblem: problem,
      limitOf,
      isWell: (id) => this.#isWell(id),
    })
    return {
      clock,
      dice: this.#dice.fork('world'),
      trace: this.#trace,
      weather: new StoreWeather(this.#dice.fork('weather'), now),
      store: new SimulatedStore(now, ledger),
      ledger,
      bug,
      problem,
    }
  }

  /** The rooms are there before anything can go wrong. */
  async #furnish(): Promise<void> {
    const { model: store } = this.#world.store
    const parts = { store, rooms: new Rooms(store) }
    for (const { name, limit } of rooms) {
      await createRoom(parts, everybody, { name })
      if (limit !== null) await changeRoom(parts, everybody, name, { limit })
    }
  }

  #arrange(plan: SeededDice): void {
    const { weather } = this.#world
    weather.griefShare = griefShare
    for (let left = plan.between(15, 30), n = 0; left > 0; n++) {
      const count = Math.min(left, plan.chance(0.6) ? 1 : plan.between(2, 6))
      left -= count
      this.#arrangeSubmit(plan, n, count)
    }
    for (let n = plan.between(1, 8); n > 0; n--)
      this.#at(plan.between(2_000, faultsWithinMs), () => this.#client.cancelOne())
    for (const fault of this.#faults) this.#at(fault.atMs, () => strike(this.#world, this.#cast, fault))
    this.#at(calmAfterMs, () => this.#calm())
  }

  #arrangeSubmit(plan: SeededDice, n: number, count: number): void {
    const atMs = plan.between(0, submitsWithinMs)
    const extension = plan.between(0, extensions.length - 1)
    const room = extensions[extension]?.room ?? plan.pick(rooms).name
    const key = plan.chance(0.85) ? `order-${n}` : null
    const notBefore = plan.chance(0.1) ? startAt + atMs + plan.between(0, 20_000) : null
    const priority = plan.between(0, 10)
    this.#at(atMs, () => this.#client.submit({ room, extension, count, key, priority, notBefore }))
  }

  #at(ms: number, run: () => void): void {
    this.#clock.after(this.#director, ms, run)
  }

  /** Faults that are still under way end; the last crashed process was restarted by its own fault, or is now. */
  #calm(): void {
    this.#trace.note('director', 'calm')
    this.#world.weather.clear()
    for (const one of [...this.#cast.replicas, ...this.#cast.workers]) {
      this.#clock.resume(one.life)
      one.start()
    }
  }

  #isOver(): boolean {
    const { now, ran } = this.#clock
    if (this.#problem !== null) return true
    if (ran > eventsAtMost) this.#fail(`${ran} events and no end`)
    if (now - startAt > restWithinMs) this.#fail(`nothing came to rest: ${this.#unrest().join('; ')}`)
    if (this.#problem !== null || now < this.#lookAgainAt) return this.#problem !== null
    this.#lookAgainAt = Math.max(now + 500, startAt + calmAfterMs)
    if (now - startAt < calmAfterMs || this.#unrest().length > 0) {
      this.#restingSince = Number.POSITIVE_INFINITY
      return false
    }
    if (this.#restingSince === Number.POSITIVE_INFINITY) this.#restingSince = now
    return now - this.#restingSince > settleMs && now - this.#world.ledger.lastEventAt > travelMs
  }

  #unrest(): readonly string[] {
    const unrest = this.#client.isContent ? [] : ['a request waits for its answer']
    for (const worker of this.#cast.workers) if (!worker.isIdle) unrest.push(`${worker.id} is not idle`)
    for (const { name, parts } of this.#cast.replicas) if (!parts) unrest.push(`${name} is down`)
    for (const [id, { endedAt, status }] of this.#world.ledger.jobs)
      if (endedAt === undefined) unrest.push(`job ${id} is ${status}`)
    return unrest
  }

  #lookAtRest(): void {
    const { ledger, store } = this.#world
    const problems = restProblems({ ledger, store, client: this.#client, ...this.#cast })
    for (const problem of problems) this.#fail(problem)
  }

  /** Longer than any lease lasts, and nothing to excuse it. */
  #isWell(id: string): boolean {
    const worker = this.#cast.workers.find((one) => one.id === id)
    return worker !== undefined && this.#clock.now - worker.wellSince > 2 * leaseMs
  }

  #fail(problem: string): void {
    if (this.#problem !== null) return
    this.#trace.note('problem', problem)
    const about = [...problem.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}|worker-\d/g)].map(([id]) => id)
    const lines = [...this.#trace.tail(60, about), '…', ...this.#trace.tail(25)]
    this.#problem = `${this.#trace.named(problem)}\n${lines.join('\n')}`
  }
}

function limitOf(room: string, counter: string): number | null {
  if (counter === 'running') return rooms.find(({ name }) => name === room)?.limit ?? null
  const limited = extensions.find(
    ({ name, category, policy }) =>
      policy.maxRunning !== undefined && counter.includes(`/${category}/${name}/`),
  )
  return limited ? (limited.policy.maxRunning as number) : null
}
