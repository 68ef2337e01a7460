// What stands between the replicas and their store at any instant: how long a call takes, whether the store can be
// reached at all, and which calls come to grief.

import type { SeededDice } from './seeded-dice.ts'

/**
 * What becomes of one call: answered; never arrived; applied, but the answer was lost; or applied, sent again by the
 * client under its id, and answered then.
 */
export type Fate = 'answered' | 'never arrived' | 'answer lost' | 'sent twice'

export interface Outage {
  readonly since: number
  until: number
}

export class StoreWeather {
  readonly #dice: SeededDice
  readonly #now: () => number
  readonly #outages = new Map<string, Outage>()
  #slowUntil = 0
  /** The share of calls that come to grief, of each kind. */
  #griefShare = 0

  constructor(dice: SeededDice, now: () => number) {
    this.#dice = dice
    this.#now = now
  }

  set griefShare(share: number) {
    this.#griefShare = share
  }

  latencyMs(): number {
    const isSlow = this.#now() < this.#slowUntil
    if (isSlow) return this.#dice.between(50, 900)
    return this.#dice.chance(0.02) ? this.#dice.between(20, 300) : this.#dice.between(0, 8)
  }

  fate(): Fate {
    const roll = this.#dice.next()
    if (roll < this.#griefShare) return 'never arrived'
    if (roll < 2 * this.#griefShare) return 'answer lost'
    return roll < 5 * this.#griefShare ? 'sent twice' : 'answered'
  }

  /** Until when this replica cannot reach the store; in the past when it can. */
  outUntil(replica: string): number {
    return this.#outages.get(replica)?.until ?? 0
  }

  /** The last one, which may be over; it ends early when the weather clears. */
  outageOf(replica: string): Outage | null {
    return this.#outages.get(replica) ?? null
  }

  /** One that meets another still under way makes it longer, if anything. */
  takeOut(replicas: readonly string[], forMs: number): void {
    const now = this.#now()
    for (const replica of replicas) {
      const known = this.#outages.get(replica)
      if (known && known.until > now) known.until = Math.max(known.until, now + forMs)
      else this.#outages.set(replica, { since: now, until: now + forMs })
    }
  }

  slow(forMs: number): void {
    this.#slowUntil = this.#now() + forMs
  }

  clear(): void {
    this.#griefShare = 0
    this.#slowUntil = 0
    for (const outage of this.#outages.values()) outage.until = Math.min(outage.until, this.#now())
  }
}
