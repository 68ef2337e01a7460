// How many connections there are, in all and of each address and credential, and that somebody hears of it before there
// are too many: the first news of a limit would otherwise be a worker that is refused.

import type { Refusal } from '@millrace/domain'
import { refusedHere } from '../refusal/problem-of.ts'

export interface ConnectionLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly maxConnectionsPerCredential: number
}

const warnAtShare = 0.8
/** A count that swings around the mark is told of once. */
const calmAtShare = 0.7

export class ConnectionCounts {
  readonly #limits: ConnectionLimits
  readonly #warn: (message: string) => void
  readonly #ofAddress = new Map<string, number>()
  readonly #ofCredential = new Map<string, number>()
  #all = 0
  #hasWarned = false

  constructor(limits: ConnectionLimits, warn: (message: string) => void) {
    this.#limits = limits
    this.#warn = warn
  }

  get all(): number {
    return this.#all
  }

  refusalFor(address: string): Refusal | null {
    const { maxConnections, maxConnectionsPerAddress: limit } = this.#limits
    if (this.#all >= maxConnections) return refusedHere('connections_full')
    return (this.#ofAddress.get(address) ?? 0) >= limit ? yoursFull('This address', limit) : null
  }

  /** Answers how to take it back. */
  opened(address: string): () => void {
    this.#all += 1
    add(this.#ofAddress, address, 1)
    this.#tell()
    return () => {
      this.#all -= 1
      add(this.#ofAddress, address, -1)
      if (this.#all < this.#limits.maxConnections * calmAtShare) this.#hasWarned = false
    }
  }

  credentialRefusal(id: string): Refusal | null {
    const { maxConnectionsPerCredential: limit } = this.#limits
    return (this.#ofCredential.get(id) ?? 0) >= limit ? yoursFull('This credential', limit) : null
  }

  admitted(id: string): () => void {
    add(this.#ofCredential, id, 1)
    return () => add(this.#ofCredential, id, -1)
  }

  #tell(): void {
    const { maxConnections } = this.#limits
    if (this.#hasWarned || this.#all < Math.floor(maxConnections * warnAtShare)) return
    this.#hasWarned = true
    this.#warn(`${this.#all} of at most ${maxConnections} connections are open`)
  }
}

function yoursFull(whose: string, limit: number): Refusal {
  return refusedHere('connections_yours_full', `${whose} has ${limit} connections, as many as it may.`, {
    limit,
    retryAfterMs: 5_000,
  })
}

function add(counts: Map<string, number>, key: string, delta: number): void {
  const count = (counts.get(key) ?? 0) + delta
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
