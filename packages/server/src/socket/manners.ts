// Whoever was cut because of what they sent is held for a moment when they come back. A program that breaks the rules of
// the wire and connects again at once would otherwise go round as fast as the server can cut it.

import { RecentKeys } from '../limits/recent-keys.ts'

/** So short that somebody who lost a connection through no fault of theirs does not notice. */
const heldMs = 250
const rememberedMs = 2_000

/** As the library calls it: what came could not be read. A network that failed looks the same, and is held as shortly. */
const breaches: ReadonlySet<string> = new Set(['parse error', 'transport error', 'forced close'])

export class Manners {
  readonly #now: () => number
  readonly #pause: (ms: number) => Promise<void>
  readonly #brokenAt = new RecentKeys<number>()

  constructor(now: () => number, pause: (ms: number) => Promise<void>) {
    this.#now = now
    this.#pause = pause
  }

  ended(user: string, reason: string): void {
    if (breaches.has(reason)) this.broken(user)
  }

  broken(user: string): void {
    this.#brokenAt.set(user, this.#now())
  }

  /** Resolves when this user may come in. */
  async held(user: string): Promise<void> {
    const at = this.#brokenAt.get(user)
    if (at === null) return
    if (this.#now() - at < rememberedMs) await this.#pause(heldMs)
    else this.#brokenAt.delete(user)
  }
}
