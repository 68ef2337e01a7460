// How many schemas each user may still bring, as this replica counts it: several replicas let that much more through.

import {
  isRefusal,
  type Rate,
  type RateBucket,
  type Refusal,
  registrationRate,
  spend,
} from '@millrace/domain'

/** Buckets that are full again say nothing; they are dropped when there are more than this. */
const manyBuckets = 10_000

export class RegistrationRates {
  readonly #rate: Rate
  readonly #buckets = new Map<string, RateBucket>()

  constructor(rate: Rate = registrationRate) {
    this.#rate = rate
  }

  spend(user: string, now: number): Refusal | null {
    const bucket = spend(this.#buckets.get(user) ?? null, this.#rate, 1, now)
    if (isRefusal(bucket)) return bucket
    if (this.#buckets.size >= manyBuckets) this.#dropFull(now)
    this.#buckets.set(user, bucket)
    return null
  }

  #dropFull(now: number): void {
    for (const [user, { at }] of this.#buckets) {
      if (now - at >= this.#rate.perMs) this.#buckets.delete(user)
    }
  }
}
