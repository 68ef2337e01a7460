// Holds one connection to its rate of messages. What is above it is refused; a connection that goes on all the same is
// cut, for even a refusal costs something.

import { isRefusal, type Rate, type RateBucket, type Refusal, spend } from '@millrace/domain'

/** Whoever waits when told to is refused now and then; this many in so short a time come from somebody who does not. */
const refusalRate: Rate = { count: 100, perMs: 60_000 }

export interface Overrun {
  readonly refusal: Refusal
  readonly cut: boolean
}

export class MessageRate {
  readonly #rate: Rate
  #messages: RateBucket | null = null
  #refusals: RateBucket | null = null

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Null: it may be heard. */
  spend(now: number): Overrun | null {
    const spent = spend(this.#messages, this.#rate, 1, now)
    if (!isRefusal(spent)) {
      this.#messages = spent
      return null
    }
    const refused = spend(this.#refusals, refusalRate, 1, now)
    if (isRefusal(refused)) return { refusal: spent, cut: true }
    this.#refusals = refused
    return { refusal: spent, cut: false }
  }
}
