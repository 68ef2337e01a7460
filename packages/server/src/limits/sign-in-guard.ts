// Stands before every sign-in: counts those that fail for the address they come from and for the account they name, as
// this replica sees them. A name that nobody has is counted like any other, or the difference would tell.

import {
  beginTry,
  isRefusal,
  isSpent,
  type Refusal,
  succeedTry,
  type Tries,
  type TriesRule,
} from '@millrace/domain'
import { RecentKeys } from './recent-keys.ts'

export interface SignInRules {
  readonly perAddress: number
  readonly perAccount: number
}

/** Longer waits would only help those who want to keep somebody else out. */
const waits = { firstWaitMs: 1_000, maxWaitMs: 60_000, forgetMs: 300_000 } as const

/** No account has a longer name. */
const nameLength = 64

export class SignInGuard {
  readonly #now: () => number
  readonly #addresses: TriesBook
  readonly #accounts: TriesBook

  constructor({ perAddress, perAccount }: SignInRules, now: () => number) {
    this.#now = now
    this.#addresses = new TriesBook({ ...waits, free: perAddress, of: 'sign-ins from this address' })
    this.#accounts = new TriesBook({ ...waits, free: perAccount, of: 'sign-ins to this account' })
  }

  /** `account` is null where a code is tried, which names none. What is no wrong guess is not counted. */
  async attempt<Entered extends object>(
    address: string,
    account: string | null,
    enter: () => Promise<Entered | Refusal>,
  ): Promise<Entered | Refusal> {
    const name = account?.slice(0, nameLength) ?? null
    const refusal = this.#begin(address, name)
    if (refusal) return refusal
    let isWrong = false
    try {
      const entered = await enter()
      isWrong = isRefusal(entered) && entered.refused === 'credentials_wrong'
      return entered
    } finally {
      if (!isWrong) this.#succeed(address, name)
    }
  }

  #begin(address: string, name: string | null): Refusal | null {
    const now = this.#now()
    const ofAddress = this.#addresses.begin(address, now)
    if (ofAddress || name === null) return ofAddress
    const ofAccount = this.#accounts.begin(name, now)
    // Nothing was guessed, so the address is not charged for it.
    if (ofAccount) this.#addresses.succeed(address, now)
    return ofAccount
  }

  #succeed(address: string, name: string | null): void {
    const now = this.#now()
    this.#addresses.succeed(address, now)
    if (name !== null) this.#accounts.succeed(name, now)
  }
}

class TriesBook {
  readonly #rule: TriesRule
  readonly #tries = new RecentKeys<Tries>()

  constructor(rule: TriesRule) {
    this.#rule = rule
  }

  begin(key: string, now: number): Refusal | null {
    const begun = beginTry(this.#tries.get(key), this.#rule, now)
    if (isRefusal(begun)) return begun
    this.#tries.set(key, begun)
    return null
  }

  succeed(key: string, now: number): void {
    const tries = this.#tries.get(key)
    if (tries === null) return
    const left = succeedTry(tries, now)
    if (isSpent(left, this.#rule, now)) this.#tries.delete(key)
    else this.#tries.set(key, left)
  }
}
