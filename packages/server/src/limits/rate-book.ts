// How much of a rate each key has left, as this replica counts it: several replicas let that much more through.

import { isRefusal, type Rate, type RateBucket, type Refusal, spend } from '@millrace/domain'
import { RecentKeys } from './recent-keys.ts'

export class RateBook {
  readonly #rate: Rate
  readonly #buckets: RecentKeys<RateBucket>

  constructor(rate: Rate, most?: number) {
    this.#rate = rate
    this.#buckets = new RecentKeys(most)
  }

  get size(): number {
    return this.#buckets.size
  }

  spend(key: string, now: number): Refusal | null {
    const bucket = spend(this.#buckets.get(key), this.#rate, 1, now)
    if (isRefusal(bucket)) return bucket
    this.#buckets.set(key, bucket)
    return null
  }
}
