// How fast one user may send bodies. Each is memory to gather, and much of it makes the whole process stand still while it
// is collected. Whoever is too fast is held a moment, with the body still unread, and goes on at the rate; what does not
// find room even then is refused. A refusal at once would only make a flood go round faster.

import type { Rate, Refusal } from '@millrace/domain'
import { RateBook } from './rate-book.ts'

export type Pause = (ms: number) => Promise<void>

/** Long enough for the largest body of whoever sends one after the other. */
const holdMaxMs = 5_000

export class UploadPace {
  readonly #book: RateBook
  readonly #now: () => number
  readonly #pause: Pause

  constructor(rate: Rate, now: () => number, pause: Pause) {
    this.#book = new RateBook(rate)
    this.#now = now
    this.#pause = pause
  }

  /** Null: so many bytes may be read. */
  async admit(user: string, bytes: number): Promise<Refusal | null> {
    if (bytes === 0) return null
    const refusal = this.#book.spend(user, this.#now(), bytes)
    if (refusal === null) return null
    await this.#pause(Math.min(Number(refusal.details?.['retryAfterMs'] ?? holdMaxMs), holdMaxMs))
    return this.#book.spend(user, this.#now(), bytes)
  }
}

/** A few seconds' worth at once, but never less than the largest body that any door takes. */
export function uploadRate(bytesPerMinute: number, bodyMaxBytes: number): Rate {
  const count = Math.max(Math.ceil(bytesPerMinute / 15), bodyMaxBytes)
  const perMs = Math.ceil((60_000 * count) / bytesPerMinute)
  return { count, perMs, of: 'bytes in requests of this user (uploadBytesPerMinute)' }
}
