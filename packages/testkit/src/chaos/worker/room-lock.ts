// The lock that jobs of a room compete for, as a handler of the SDK takes it: asked for a few times, written under, let
// go of. What it was given and what it wrote stands in the ledger.

import { setTimeout as pause } from 'node:timers/promises'
import { type Job, type JobLock, LockRefused } from '@millrace/worker'
import type { Ledger, LedgerLine } from './ledger.ts'

export const lockTarget = 'shared'

/** Shorter than a stop and than many a job: whoever stands still loses it to somebody else before its lease is over. */
export const lockTtlMs = 3_000

/** Who does not get it by then goes on without, so that one lock does not hold up all slots. */
export const lockTries = 10
export const askAgainMs = 150

interface Place {
  readonly run: string
  readonly room: string
  readonly target: string
}

export class RoomLock {
  readonly #ledger: Ledger<LedgerLine>
  readonly #lock: JobLock
  readonly #place: Place

  private constructor(ledger: Ledger<LedgerLine>, lock: JobLock, place: Place) {
    this.#ledger = ledger
    this.#lock = lock
    this.#place = place
  }

  /** Null when others had it for too long. */
  static async take(ledger: Ledger<LedgerLine>, job: Job<unknown>, run: string): Promise<RoomLock | null> {
    const { room, signal } = job
    const place = { run, room, target: lockTarget }
    for (let tries = 0; tries < lockTries; tries++) {
      ledger.write({ step: 'ask', at: Date.now(), ...place })
      const lock = await job.lock(lockTarget, { ttlMs: lockTtlMs }).catch(unlessRefused)
      if (lock) {
        ledger.write({ step: 'held', at: Date.now(), ...place, fence: lock.fence })
        return new RoomLock(ledger, lock, place)
      }
      await pause(askAgainMs, undefined, { signal })
    }
    return null
  }

  /** Shows under its number what it was held for, and lets go of it. */
  async finish(): Promise<void> {
    const { fence } = this.#lock
    this.#ledger.write({ step: 'write', at: Date.now(), ...this.#place, fence })
    const isWritten = await this.#lock.say(this.#place.run).then(
      () => true,
      // It was lost meanwhile, which is no fault of anybody.
      () => false,
    )
    if (isWritten) this.#ledger.write({ step: 'written', at: Date.now(), ...this.#place, fence })
    await this.#lock.release()
  }
}

function unlessRefused(error: unknown): null {
  if (error instanceof LockRefused) return null
  throw error
}
