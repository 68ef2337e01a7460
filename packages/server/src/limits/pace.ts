// How fast something may come, in bytes. Much at once is memory to gather and to collect, and the whole process stands
// still for it. Whoever is too fast is held until there is room, one behind the other, and so goes on at the rate; only who
// would be held too long is refused. A refusal at once would make a flood go round faster.

import { isRefusal, type Rate, type RateBucket, type Refusal, reserve } from '@millrace/domain'
import { RecentKeys } from './recent-keys.ts'

export interface PaceRules {
  readonly rate: Rate
  readonly holdMs: number
}

/** What is small passes: a beat or a line must not wait behind somebody's megabytes. */
const smallBytes = 16_000

export type Pause = (ms: number) => Promise<void>

export class Pace {
  readonly #rules: PaceRules
  readonly #now: () => number
  readonly #pause: Pause
  readonly #buckets = new RecentKeys<RateBucket>()

  constructor(rules: PaceRules, now: () => number, pause: Pause) {
    this.#rules = rules
    this.#now = now
    this.#pause = pause
  }

  /** Null: it may go on, and has been held for as long as it had to. */
  async admit(key: string, bytes: number): Promise<Refusal | null> {
    if (bytes <= smallBytes) return null
    const { rate, holdMs } = this.#rules
    const reserved = reserve(this.#buckets.get(key), rate, bytes, this.#now(), holdMs)
    if (isRefusal(reserved)) return reserved
    this.#buckets.set(key, reserved.bucket)
    if (reserved.waitMs > 0) await this.#pause(reserved.waitMs)
    return null
  }
}

/** A few seconds' worth at once, but never less than the largest that may come. */
export function bytesPerMinute(perMinute: number, atOnce: number, of: string): Rate {
  const count = Math.max(Math.ceil(perMinute / 15), atOnce)
  return { count, perMs: Math.ceil((60_000 * count) / perMinute), of }
}
