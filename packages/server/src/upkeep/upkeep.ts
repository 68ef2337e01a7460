// The server's pulse: one tick after another, each looks at what is due and makes up for wake-ups that were missed. Beats
// have a timer of their own, because a tick waits for the store and workers must not be left unasked meanwhile. One that
// came late means that the process stood still, and nobody's silence meanwhile proves anything.

import { graceMs } from '@millrace/domain'
import type { WaitingQueues } from '../placement/waiting-queues.ts'
import type { Store } from '../ports/store.ts'
import { StoreFull, StoreUnavailable } from '../ports/store-unavailable.ts'
import { type DueLoopParts, runDue } from './due-loop.ts'
import type { StoreOutage } from './store-outage.ts'

/** A store that takes longer to answer was out, for all that anybody can tell. */
const slowMs = graceMs / 5

export interface UpkeepParts {
  readonly store: Store
  readonly due: Omit<DueLoopParts, 'store' | 'onFault'>
  readonly waiting: WaitingQueues
  readonly askForBeats: (now: number) => void
  /** What has to be looked after and is due at no instant of its own. */
  readonly sweep?: () => Promise<void>
  readonly wake: () => void
  readonly intervalMs: number
  /** Tells of it when the store is out; without it every fault is told. */
  readonly outage?: StoreOutage
  readonly onFault: (fault: unknown) => void
}

export class Upkeep {
  readonly #parts: UpkeepParts
  #timer: ReturnType<typeof setTimeout> | null = null
  #beatTimer: ReturnType<typeof setTimeout> | null = null
  #tick: Promise<void> = Promise.resolve()
  #steadySince: number
  #lastBeatAt: number
  #wasOut = false
  #isStoreOut = false
  #stopped = false

  constructor(parts: UpkeepParts) {
    this.#parts = parts
    this.#steadySince = parts.store.now()
    this.#lastBeatAt = this.#steadySince
  }

  /** Since when this server and its store have been up without a gap. */
  get steadySince(): number {
    return this.#steadySince
  }

  /** The last look at the store failed: nothing is placed until the next succeeds. */
  get isStoreOut(): boolean {
    return this.#isStoreOut
  }

  /** From now on workers can be heard, so from now on their silence counts. */
  start(): void {
    this.#steadySince = this.#parts.store.now()
    this.#lastBeatAt = this.#steadySince
    this.#tickLater()
    this.#beatLater()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#beatTimer) clearTimeout(this.#beatTimer)
    await this.#tick
  }

  async tick(): Promise<void> {
    const { store, due, waiting, wake, sweep, outage, onFault } = this.#parts
    this.#beat()
    const askedAt = performance.now()
    try {
      await waiting.look()
      // It may have come back at any time since the last tick failed or this one began; known before anybody's silence
      // is judged.
      if (this.#wasOut || performance.now() - askedAt > slowMs) this.#steadySince = store.now()
      this.#wasOut = false
      this.#isStoreOut = false
      await runDue({ store, ...due, onFault })
      await sweep?.()
      outage?.good(askedAt)
      wake()
    } catch (fault) {
      // The store could not be reached, and nobody could renew a lease through us.
      this.#steadySince = store.now()
      this.#wasOut = true
      this.#isStoreOut = fault instanceof StoreUnavailable
      if (outage && fault instanceof StoreUnavailable && !(fault instanceof StoreFull)) outage.began(fault)
      else onFault(fault)
    }
  }

  #tickLater(): void {
    this.#timer = setTimeout(() => {
      this.#tick = this.tick().then(() => {
        if (!this.#stopped) this.#tickLater()
      })
    }, this.#parts.intervalMs)
  }

  #beatLater(): void {
    this.#beatTimer = setTimeout(() => {
      this.#beat()
      if (!this.#stopped) this.#beatLater()
    }, this.#parts.intervalMs)
  }

  #beat(): void {
    const { store, askForBeats, intervalMs } = this.#parts
    const now = store.now()
    if (now - this.#lastBeatAt > graceMs / 2 + intervalMs) this.#steadySince = now
    this.#lastBeatAt = now
    askForBeats(now)
  }
}
