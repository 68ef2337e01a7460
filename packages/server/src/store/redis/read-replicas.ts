// Redis replicas that take over reads which only show something. A replica is used while it follows this very primary and
// has all that the primary had at the look before the last one; any other, and one that fails or dawdles, is passed over
// until a later look finds it well. Nothing is read from them that anybody decides by.

import type { ReadReplicasView } from '../../ports/store.ts'
import type { Keys } from './keys.ts'
import { connect, type RedisAddress, RedisConnection } from './redis-connection.ts'
import { type Replication, replicationOf } from './redis-meta.ts'
import { RedisReads } from './redis-reads.ts'

/** What a list may lag behind is at most about twice this. */
const lookEveryMs = 1_000

/** A replica that hangs must not hold up a page for longer than the primary would take. */
const patienceMs = 500

interface ReadReplica {
  readonly connection: RedisConnection
  readonly reads: RedisReads
  isFresh: boolean
}

export class ReadReplicas {
  readonly #primary: RedisConnection
  readonly #replicas: readonly ReadReplica[]
  /** What the primary had at the last look. */
  #before: Replication | null = null
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #next = 0
  #closed = false

  private constructor(primary: RedisConnection, addresses: readonly RedisAddress[], keys: Keys) {
    this.#primary = primary
    this.#replicas = addresses.map((address) => {
      const connection = new RedisConnection(connect(address, { commandTimeout: patienceMs }), 0)
      return { connection, reads: new RedisReads(connection, keys), isFresh: false }
    })
  }

  /** Does not wait for them: a server starts without its read replicas as it goes on without them. */
  static start(primary: RedisConnection, addresses: readonly RedisAddress[], keys: Keys): ReadReplicas {
    const replicas = new ReadReplicas(primary, addresses, keys)
    if (addresses.length > 0) replicas.#lookNow()
    return replicas
  }

  get view(): ReadReplicasView | null {
    if (this.#replicas.length === 0) return null
    const inUse = this.#replicas.filter(({ isFresh }) => isFresh).length
    return { named: this.#replicas.length, inUse }
  }

  /** Asks one of those that are well, in turn; null when none can answer. */
  async ask<Answer>(question: (reads: RedisReads) => Promise<Answer>): Promise<Answer | null> {
    const fresh = this.#replicas.filter(({ isFresh }) => isFresh)
    const replica = fresh[this.#next++ % fresh.length]
    if (!replica) return null
    try {
      return await question(replica.reads)
    } catch {
      replica.isFresh = false
      return null
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    // One that hangs would never say goodbye.
    for (const { connection } of this.#replicas) connection.client.disconnect()
    await this.#looking
  }

  #lookNow(): void {
    this.#looking = this.#look().then(() => {
      if (this.#closed) return
      this.#timer = setTimeout(() => this.#lookNow(), lookEveryMs)
      this.#timer.unref()
    })
  }

  async #look(): Promise<void> {
    // Without the primary nobody can say how far behind a replica is.
    const primary = await this.#primary.call(replicationOf).catch(() => null)
    const wanted = this.#before?.id === primary?.id ? this.#before : primary
    this.#before = primary
    await Promise.all(
      this.#replicas.map(async (replica) => {
        const found = await replica.connection.call(replicationOf).catch(() => null)
        replica.isFresh = wanted !== null && found !== null && follows(found, wanted)
      }),
    )
  }
}

function follows(replica: Replication, primary: Replication): boolean {
  return replica.isLinkedReplica && replica.id === primary.id && replica.offset >= primary.offset
}
