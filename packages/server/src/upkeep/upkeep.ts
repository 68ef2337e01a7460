// The server's pulse: one tick after another, each looks at what is due, asks for beats, and makes up for wake-ups that
// were missed. A tick that came late means that the process stood still, and nobody's silence meanwhile proves anything.

import { graceMs } from '@millrace/domain'
import type { WaitingQueues } from '../placement/waiting-queues.ts'
import type { Store } from '../ports/store.ts'
import { type DueLoopParts, runDue } from './due-loop.ts'

export interface UpkeepParts {
  readonly store: Store
  readonly due: Omit<DueLoopParts, 'store' | 'onFault'>
  readonly waiting: WaitingQueues
  readonly askForBeats: (now: number) => void
  readonly wake: () => void
  readonly intervalMs: number
  readonly onFault: (fault: unknown) => void
}

export class Upkeep {
  readonly #parts: UpkeepParts
  #timer: ReturnType<typeof setTimeout> | null = null
  #tick: Promise<void> = Promise.resolve()
  #steadySince: number
  #lastTickAt: number
  #stopped = false

  constructor(parts: UpkeepParts) {
    this.#parts = parts
    this.#steadySince = parts.store.now()
    this.#lastTickAt = this.#steadySince
  }

  /** Since when this server and its store have been up without a gap. */
  get steadySince(): number {
    return this.#steadySince
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#tick = this.tick().then(() => {
        if (!this.#stopped) this.start()
      })
    }, this.#parts.intervalMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#tick
  }

  async tick(): Promise<void> {
    const { store, due, waiting, askForBeats, wake, onFault } = this.#parts
    const now = store.now()
    if (now - this.#lastTickAt > graceMs / 2 + this.#parts.intervalMs) this.#steadySince = now
    this.#lastTickAt = now
    askForBeats(now)
    try {
      await runDue({ store, ...due, onFault })
      await waiting.look()
      wake()
    } catch (fault) {
      // The store could not be reached, and nobody could renew a lease through us.
      this.#steadySince = store.now()
      onFault(fault)
    }
  }
}
