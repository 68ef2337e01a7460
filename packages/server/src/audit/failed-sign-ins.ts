// Sign-ins that were refused, on record at a bounded pace: a flood of them must not fill the store. What goes beyond is
// counted and told in one entry. The name is kept only where there is such an account: people type passwords there.

import { type Deed, isRefusal, type Rate, type RateBucket, spend, type UserName } from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { recordDeed } from './record-deed.ts'

/** For each replica: 14,400 entries a day at the worst, and more than people mistype. */
const rate: Rate = { count: 10, perMs: 60_000 }

export class FailedSignIns {
  readonly #store: Store
  #bucket: RateBucket | null = null
  #untold = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** `by`: how somebody tried. It costs the same whether there is such an account or not. */
  async note(by: 'password' | 'code', account: UserName | null): Promise<void> {
    if (!this.#mayWrite()) this.#untold += 1
    else await recordDeed(this.#store, 'system', refusedSignIn(account, { by }))
  }

  /** Those that were only counted, once there is room for an entry. */
  async tellRest(): Promise<void> {
    if (this.#untold === 0 || !this.#mayWrite()) return
    const times = this.#untold
    this.#untold = 0
    try {
      await recordDeed(this.#store, 'system', refusedSignIn(null, { times }))
    } catch (fault) {
      this.#untold += times
      throw fault
    }
  }

  #mayWrite(): boolean {
    const bucket = spend(this.#bucket, rate, 1, this.#store.now())
    if (isRefusal(bucket)) return false
    this.#bucket = bucket
    return true
  }
}

function refusedSignIn(account: UserName | null, details: NonNullable<Deed['details']>): Deed {
  return { who: null, action: 'sign_in', target: account ?? '', outcome: 'refused', details }
}
