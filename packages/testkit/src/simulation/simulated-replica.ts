// One replica of the server, life after life: the real parts and loops on a store of this world, without HTTP and
// sockets. When it dies its memory is gone; what it had sent to the store is not.

import { graceMs } from '@millrace/domain'
import {
  askForBeats,
  Bell,
  type BreakerChange,
  Breakers,
  type Config,
  dueJobs,
  dueWorkers,
  Elsewhere,
  Extensions,
  FeedRelay,
  Forgetter,
  Metrics,
  makeParts,
  PlacementLoop,
  readConfig,
  returnJobs,
  type ServerParts,
  StoreUnavailable,
  surroundingsOf,
  Upkeep,
  type Validator,
} from '@millrace/server'
import { Link } from './link.ts'
import { ReplicaDoor, type WorkerEars } from './replica-door.ts'
import { ReplicaStore } from './replica-store.ts'
import { SequenceWatch } from './sequence-watch.ts'
import type { Outage } from './store-weather.ts'
import { Life } from './virtual-clock.ts'
import type { World } from './world.ts'

/** The store's clock, this replica's and the ledger's agree to about this; a lease may end so much early. */
const skewAtMostMs = 400
/** An outage whose last part only makes a call slow is over for a replica by so much too early. */
const unnoticedMs = 2_000
const restartMs = 1_000
const patienceMs = 5_000
/** A tick begins at the latest so long after an outage did. */
const noticedAfterMs = 4_000

interface Running {
  readonly life: Life
  readonly parts: ServerParts
  readonly store: ReplicaStore
  readonly watch: SequenceWatch
}

export class SimulatedReplica {
  readonly name: string
  readonly #world: World
  readonly #links = new Set<Link>()
  #life: Life
  #running: Running | null = null
  #store: ReplicaStore | null = null
  #openSince = 0
  /** The last that one of its calls gave up on. */
  #outage: Outage | null = null
  #lives = 0

  constructor(world: World, name: string) {
    this.#world = world
    this.name = name
    this.#life = new Life(name)
    this.#life.state = 'over'
  }

  get life(): Life {
    return this.#life
  }

  /** Its parts, once it takes connections. */
  get parts(): ServerParts | null {
    return this.#running?.parts ?? null
  }

  get watch(): SequenceWatch | null {
    return this.#running?.watch ?? null
  }

  start(): void {
    const { clock } = this.#world
    if (this.#life.state !== 'over') return
    this.#lives += 1
    const life = new Life(`${this.name}.${this.#lives}`)
    this.#life = life
    this.#note('starts')
    clock.after(life, 0, () => void this.#begin(life))
  }

  /** `silently`: its machine is gone, and nobody resets its connections. */
  crash(silently: boolean): void {
    if (this.#life.state === 'over') return
    this.#note(silently ? 'vanishes' : 'crashes')
    this.#world.clock.end(this.#life)
    this.#running = null
    for (const link of this.#links) {
      if (silently) link.fallSilent()
      else link.break()
    }
    this.#links.clear()
  }

  breakFeeds(): void {
    this.#store?.breakFeeds()
  }

  skew(ms: number): void {
    if (this.#store) this.#store.skewMs = ms
  }

  /** Null while it takes no connections. */
  connect(worker: Life, ears: WorkerEars): { readonly link: Link; readonly door: ReplicaDoor } | null {
    const { clock, dice, bug } = this.#world
    if (!this.#running) return null
    const { parts, life } = this.#running
    const link = new Link(clock, dice, { server: life, worker })
    const door = new ReplicaDoor({ parts, link, ears, bug, onFault: this.#onFault })
    this.#links.add(link)
    return { link, door }
  }

  async #begin(life: Life): Promise<void> {
    try {
      this.#running = await this.#assemble(life)
      this.#openSince = this.#world.clock.now
      this.#outage = null
      this.#note('takes connections')
    } catch (fault) {
      this.#onFault(fault)
      this.#world.clock.end(life)
      this.#world.clock.after(new Life('supervisor'), restartMs, () => this.start())
    }
  }

  async #assemble(life: Life): Promise<Running> {
    const { bug, dice } = this.#world
    const bare = this.#openStore(life)
    const store = bug.store?.(bare) ?? bare
    const known = new Extensions(store)
    const around = surroundingsOf(store, known)
    const bell = new Bell()
    const onFault = this.#onFault
    const reserve: Parameters<typeof makeParts>[0]['reserve'] = (wanted) => placement.reserve(wanted)
    const onBreakerChanged = ({ view }: BreakerChange): void => {
      this.#note(`breaker is ${view}`)
      around.book.forgetAll()
      bell.ring()
    }
    const { runLimitMs } = fixed().config
    const changing = { store, extensions: known, onChanged: onBreakerChanged, onFault }
    const breakers = new Breakers({ ...changing, runLimitMs })
    const ground = { store, around, known, bell, reserve, breakers, onBreakerChanged, onFault }
    const parts = await makeParts({ ...fixed(), ...ground, random: dice.next })
    const returns = (jobs: Parameters<typeof returnJobs>[1]): Promise<void> => returnJobs(parts.reports, jobs)
    const placement: PlacementLoop = new PlacementLoop({
      ...around,
      active: parts.active,
      breakers,
      returnJobs: returns,
      onFault,
    })
    bell.answerWith(() => placement.wake())
    const relay = new FeedRelay({ store, onFault, pause: () => pause(fixed().config.pollIntervalMs) })
    const upkeep = this.#makeUpkeep(parts, around)
    const watch = new SequenceWatch((problem) => this.#world.problem(`${this.name}: ${problem}`))
    relay.listen(new Forgetter(parts, around, { shared: true, onFault, onLag: () => undefined }))
    relay.listen(new Elsewhere(parts, onFault))
    relay.listen(watch)
    await relay.start()
    await around.waiting.look()
    upkeep.start()
    return { life, parts, store: bare, watch }
  }

  #openStore(life: Life): ReplicaStore {
    const { clock, dice, weather, store } = this.#world
    const by = {
      name: this.name,
      mayLoseFrom: () => this.#judgesFrom() + graceMs - unnoticedMs - skewAtMostMs,
    }
    const onOutage = (): void => {
      if (life.state !== 'over') this.#outage = weather.outageOf(this.name)
    }
    const opened = new ReplicaStore({ clock, dice, weather, store, life, by, patienceMs, onOutage })
    opened.skewMs = dice.between(-skewAtMostMs / 2, skewAtMostMs / 2)
    this.#store = opened
    return opened
  }

  /** Nobody could be heard before; an outage counts when it was long enough for a tick to fail in it. */
  #judgesFrom(): number {
    const { since, until } = this.#outage ?? { since: 0, until: 0 }
    return until - since > patienceMs + noticedAfterMs ? Math.max(this.#openSince, until) : this.#openSince
  }

  #makeUpkeep(parts: ServerParts, around: ReturnType<typeof surroundingsOf>): Upkeep {
    const { bug } = this.#world
    const steadySince = (): number => bug.steadySince?.(upkeep.steadySince) ?? upkeep.steadySince
    const upkeep: Upkeep = new Upkeep({
      store: parts.store,
      due: {
        handlers: {
          job: async (due) => (bug.losesDueJobs ? undefined : dueJobs(parts.reports, due, steadySince())),
          worker: (due) => dueWorkers(parts, due, steadySince()),
        },
      },
      waiting: around.waiting,
      askForBeats: (now) => askForBeats(parts.roster, parts.renewals, now),
      wake: parts.wake,
      intervalMs: fixed().config.pollIntervalMs,
      onFault: this.#onFault,
    })
    return upkeep
  }

  /** A store that cannot be reached is part of the weather; anything else is a mistake in the code. */
  readonly #onFault = (fault: unknown): void => {
    if (fault instanceof StoreUnavailable) return
    this.#world.problem(`${this.name}: ${fault instanceof Error ? (fault.stack ?? fault.message) : fault}`)
  }

  #note(what: string): void {
    this.#world.trace.note(this.name, what)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Schemas are not what a history is about. */
const trustingValidator: Validator = {
  admit: async () => null,
  validateAll: async (_schema, data) => data,
  close: async () => undefined,
}

const nobodysHasher = { hash: async (): Promise<string> => '', matches: async (): Promise<boolean> => false }

interface Fixed {
  readonly config: Config
  readonly secret: Uint8Array
  readonly validator: Validator
  readonly builtins: readonly []
  readonly metrics: Metrics
  readonly hasher: typeof nobodysHasher
}

let made: Fixed | null = null

/** What no history changes, made once: figures are dear to set up, and nobody reads them here. */
function fixed(): Fixed {
  made ??= {
    config: readDefaults(),
    secret: new Uint8Array(32),
    validator: trustingValidator,
    builtins: [],
    metrics: new Metrics({
      pending: () => 0,
      oldestSeconds: () => 0,
      workers: () => 0,
      running: () => 0,
      connections: () => 0,
      connectionsMax: () => 0,
    }),
    hasher: nobodysHasher,
  }
  return made
}

function readDefaults(): Config {
  const read = readConfig({
    args: ['--registrations-per-minute', '1000', '--poll-interval-ms', '2000'],
    env: {},
    readFile: () => '{}',
  })
  if (!('config' in read)) throw new Error(JSON.stringify(read))
  return read.config
}
