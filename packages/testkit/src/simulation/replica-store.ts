// The store as one life of a replica sees it: over a network that delays, loses and breaks, by a clock that is not quite
// the store's. A replica that dies leaves its calls under way, and nobody hears their answers.

import {
  type Change,
  type Claim,
  type Claimed,
  type Committed,
  type DueRecord,
  type Feed,
  type FeedItem,
  type FeedPosition,
  type ListQuery,
  type Partition,
  type QueueDepth,
  type RecordKey,
  type Stale,
  type Store,
  type StoreDescription,
  type StoredRecord,
  StoreUnavailable,
} from '@millrace/server'
import type { Writer } from './ledger.ts'
import type { SeededDice } from './seeded-dice.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { Fate, StoreWeather } from './store-weather.ts'
import type { Life, VirtualClock } from './virtual-clock.ts'

export interface ReplicaStoreParts {
  readonly clock: VirtualClock
  readonly dice: SeededDice
  readonly weather: StoreWeather
  readonly store: SimulatedStore
  readonly life: Life
  readonly by: Writer
  /** How long a call waits out an outage before it throws. */
  readonly patienceMs: number
  /** A call gave up on a store that could not be reached. */
  readonly onOutage: () => void
}

/** How often a reader whose connection broke finds that the log was trimmed meanwhile. */
const trimmedShare = 0.3

const outageStepMs = 500

export class ReplicaStore implements Store {
  readonly #parts: ReplicaStoreParts
  readonly #breakFeed = new Set<() => void>()
  #feedBroke = false
  /** How far this replica's idea of the store's time is off. */
  skewMs = 0

  constructor(parts: ReplicaStoreParts) {
    this.#parts = parts
  }

  now(): number {
    return Math.round(this.#parts.clock.now + this.skewMs)
  }

  read(partition: Partition, keys: readonly RecordKey[]): Promise<readonly (StoredRecord | null)[]> {
    return this.#call(() => this.#parts.store.model.read(partition, keys))
  }

  list(query: ListQuery): Promise<readonly StoredRecord[]> {
    return this.#call(() => this.#parts.store.model.list(query))
  }

  queues(partition?: Partition): Promise<readonly QueueDepth[]> {
    return this.#call(() => this.#parts.store.model.queues(partition))
  }

  counters(partition: Partition): Promise<Readonly<Record<string, number>>> {
    return this.#call(() => this.#parts.store.model.counters(partition))
  }

  commit(change: Change): Promise<Committed | Stale> {
    return this.#call(() => this.#parts.store.commit(this.#parts.by, change))
  }

  claim(claim: Claim): Promise<Claimed> {
    return this.#call(() => this.#parts.store.claim(this.#parts.by, claim))
  }

  due(now: number, limit: number): Promise<readonly DueRecord[]> {
    return this.#call(() => this.#parts.store.due(this.#parts.by.name, now, limit))
  }

  feed(from: FeedPosition | 'now'): Feed {
    const { store, dice } = this.#parts
    const isTrimmed = this.#feedBroke && from !== 'now' && dice.chance(trimmedShare)
    this.#feedBroke = false
    const inner = store.feed(isTrimmed ? 'trimmed' : from)
    const ready = this.#call(() => inner.ready)
    const items = this.#follow(inner, ready)
    return { ready, close: () => inner.close(), [Symbol.asyncIterator]: () => items }
  }

  /** Its readers of the log lose their connection; some of them come back too late and find it trimmed. */
  breakFeeds(): void {
    this.#feedBroke = true
    for (const fail of this.#breakFeed) this.#parts.clock.after(this.#parts.life, 0, fail)
  }

  async describe(): Promise<StoreDescription> {
    return { kind: 'redis', durability: 'a simulation', survivesProcessDeath: true, survivesPowerLoss: true }
  }

  async close(): Promise<void> {}

  async *#follow(inner: Feed, ready: Promise<unknown>): AsyncGenerator<FeedItem, void> {
    await ready
    const items = inner[Symbol.asyncIterator]()
    let fail: () => void = () => undefined
    const broken = new Promise<never>((_, reject) => {
      fail = () => reject(new StoreUnavailable('the connection of the reader broke'))
    })
    broken.catch(() => undefined)
    this.#breakFeed.add(fail)
    try {
      for (;;) {
        const { value, done } = await Promise.race([items.next(), broken])
        if (done) return
        await Promise.race([this.#travels(), broken])
        yield value
      }
    } finally {
      this.#breakFeed.delete(fail)
    }
  }

  /** An item on its way; one that meets an outage waits for its end, which may come early. */
  #travels(): Promise<void> {
    const { clock, weather, life, by } = this.#parts
    return new Promise((resolve) => {
      const arrive = (): void => {
        if (weather.outUntil(by.name) > clock.now) clock.after(life, outageStepMs, arrive)
        else resolve()
      }
      clock.after(life, weather.latencyMs(), arrive)
    })
  }

  /** Sends it, waits out an outage for as long as patience lasts, and brings back what became of it. */
  #call<Answer>(apply: () => Promise<Answer>): Promise<Answer> {
    const { clock, weather, store, life, by, patienceMs, onOutage } = this.#parts
    const giveUpAt = clock.now + patienceMs
    return new Promise((resolve, reject) => {
      const fail = (outcomeUnknown: boolean): void => {
        const fault = new StoreUnavailable('the store did not answer', { outcomeUnknown })
        clock.after(life, weather.latencyMs(), () => reject(fault))
      }
      const bring = (applied: Promise<Answer>): void => {
        applied.then(
          (value) => clock.after(life, weather.latencyMs(), () => resolve(value)),
          (fault: unknown) => clock.after(life, weather.latencyMs(), () => reject(fault)),
        )
      }
      const fates: Readonly<Record<Fate, () => void>> = {
        answered: () => bring(apply()),
        'never arrived': () => fail(false),
        'answer lost': () => {
          void apply().catch(() => undefined)
          fail(true)
        },
        'sent twice': () => {
          void apply().catch(() => undefined)
          clock.after(store.life, 20 + weather.latencyMs(), () => bring(apply()))
        },
      }
      const arrive = (): void => {
        const [outMs, leftMs] = [weather.outUntil(by.name) - clock.now, giveUpAt - clock.now]
        if (outMs <= 0) fates[weather.fate()]()
        else if (outMs < leftMs) clock.after(store.life, outMs + weather.latencyMs(), arrive)
        else
          clock.after(store.life, leftMs, () => {
            onOutage()
            fail(true)
          })
      }
      clock.after(store.life, weather.latencyMs(), arrive)
    })
  }
}
