// The store for several replicas: partitions spread over a fixed number of shards, each change one script in one slot.
// As durable as its Redis is told to be; `describe` says which. Runs unchanged on Redis Cluster.

import { randomUUID } from 'node:crypto'
import type {
  Change,
  Claim,
  Claimed,
  Committed,
  DueRecord,
  Feed,
  FeedPosition,
  ListQuery,
  Partition,
  QueueDepth,
  RecordKey,
  Stale,
  Store,
  StoreDescription,
  StoredRecord,
} from '../../ports/store.ts'
import { checkChange, checkClaim, checkQuery } from '../change-shape.ts'
import { compareNames } from '../merge-pages.ts'
import { addArgs, isAddition } from './add-args.ts'
import { dueRecords } from './due-entries.ts'
import { Keys } from './keys.ts'
import { ReadReplicas } from './read-replicas.ts'
import { connect, type RedisAddress, RedisConnection } from './redis-connection.ts'
import { RedisFeed } from './redis-feed.ts'
import { agreeOnMeta, describeRedis } from './redis-meta.ts'
import { RedisReads } from './redis-reads.ts'
import { StoreClock } from './store-clock.ts'
import { claimArgs, claimedRecords, commitArgs } from './write-args.ts'

export interface RedisStoreOptions {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly cluster?: boolean
  readonly username?: string
  readonly password?: string
  readonly tls?: boolean
  /** Replicas of it that pages which may lag are read from. Not with a cluster. */
  readonly readFrom?: readonly Omit<RedisAddress, 'cluster'>[]
  /** Fixed at the first start. More spread the rooms over more cores of a cluster; fewer make pages across rooms cheaper. */
  readonly shards?: number
  readonly prefix?: string
  /** How long a call waits out an outage before it throws. Longer hides restarts; shorter tells callers sooner. */
  readonly patienceMs?: number
  readonly now?: () => number
}

type CommitReply = readonly ['committed' | 'stale', string, string]

// Long enough that a busy replica keeps it between two passes, short enough that a dead one is soon replaced.
const dueLeaseMs = 5_000

export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { nodes, cluster = false, shards = 16, prefix = 'millrace', patienceMs = 5_000 } = options
  const { username, password, tls } = options
  const address: RedisAddress = {
    nodes,
    cluster,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  }
  const keys = new Keys(prefix, shards)
  const connection = await RedisConnection.open(address, patienceMs)
  try {
    const epoch = await agreeOnMeta(connection, keys)
    const clock = await StoreClock.start(connection, options.now)
    const copies = (options.readFrom ?? []).map((replica) => ({ ...replica, cluster: false }))
    const replicas = ReadReplicas.start(connection, copies, keys)
    return new RedisStore(address, connection, keys, epoch, clock, replicas)
  } catch (fault) {
    await connection.close()
    throw fault
  }
}

class RedisStore implements Store {
  readonly #address: RedisAddress
  readonly #connection: RedisConnection
  readonly #keys: Keys
  readonly #epoch: string
  readonly #clock: StoreClock
  readonly #reads: RedisReads
  readonly #replicas: ReadReplicas
  readonly #feeds = new Set<RedisFeed>()
  /** This server's name among those on the store. */
  readonly #replica = randomUUID()

  constructor(
    address: RedisAddress,
    connection: RedisConnection,
    keys: Keys,
    epoch: string,
    clock: StoreClock,
    replicas: ReadReplicas,
  ) {
    this.#address = address
    this.#connection = connection
    this.#keys = keys
    this.#epoch = epoch
    this.#clock = clock
    this.#reads = new RedisReads(connection, keys)
    this.#replicas = replicas
  }

  now(): number {
    return this.#clock.now()
  }

  read(partition: Partition, keys: readonly RecordKey[]): Promise<readonly (StoredRecord | null)[]> {
    return this.#reads.read(partition, keys)
  }

  async list(query: ListQuery): Promise<readonly StoredRecord[]> {
    checkQuery(query)
    const shown = query.mayLag ? await this.#replicas.ask((reads) => reads.list(query)) : null
    return shown ?? (await this.#reads.list(query))
  }

  queues(partition?: Partition): Promise<readonly QueueDepth[]> {
    return this.#reads.queues(partition)
  }

  counters(partition: Partition): Promise<Readonly<Record<string, number>>> {
    return this.#reads.counters(partition)
  }

  async commit(change: Change): Promise<Committed | Stale> {
    checkChange(change)
    const keys = this.#keys.forWriting(change.partition, change.id)
    const reply = (await this.#add(change, keys)) ?? (await this.#move(change, keys))
    return reply[0] === 'stale'
      ? { outcome: 'stale', key: reply[1], version: Number(reply[2]) }
      : { outcome: 'committed', revision: Number(reply[1]), sequence: Number(reply[2]) }
  }

  /** Null: it is more than an addition, and nothing was changed. */
  async #add(change: Change, keys: readonly string[]): Promise<CommitReply | null> {
    if (!isAddition(change)) return null
    const script = change.takesIn ? 'millraceAddIn' : 'millraceAdd'
    const reply = (await this.#connection.run(script, keys, addArgs(change))) as
      | CommitReply
      | readonly ['moves']
    return reply[0] === 'moves' ? null : reply
  }

  #move(change: Change, keys: readonly string[]): Promise<CommitReply> {
    const script = change.takesIn ? 'millraceTakeIn' : 'millraceCommit'
    return this.#connection.run(script, keys, commitArgs(change)) as Promise<CommitReply>
  }

  async claim(claim: Claim): Promise<Claimed> {
    checkClaim(claim)
    const keys = this.#keys.forWriting(claim.partition, claim.id)
    const reply = await this.#connection.run('millraceClaim', keys, claimArgs(claim))
    return { records: claimedRecords(claim, reply as string[]) }
  }

  async due(now: number, limit: number): Promise<readonly DueRecord[]> {
    const shards = await Promise.all(
      Array.from({ length: this.#keys.shards }, (_, shard) => this.#dueOfShard(shard, now, limit)),
    )
    return shards
      .flat()
      .sort(
        (a, b) => a.dueAt - b.dueAt || compareNames(a.partition, b.partition) || compareNames(a.key, b.key),
      )
      .slice(0, limit)
  }

  feed(from: FeedPosition | 'now'): Feed {
    const feed = new RedisFeed(
      {
        connect: () => connect(this.#address),
        keys: this.#keys,
        epoch: this.#epoch,
        awaited: () => this.#connection.awaited,
      },
      from,
      (closed) => this.#feeds.delete(closed),
    )
    this.#feeds.add(feed)
    return feed
  }

  async describe(): Promise<StoreDescription> {
    const described = await this.#connection.call(describeRedis)
    const { view } = this.#replicas
    return view === null ? described : { ...described, readReplicas: view }
  }

  async close(): Promise<void> {
    this.#clock.stop()
    await this.#replicas.close()
    await Promise.all([...this.#feeds].map((feed) => feed.close()))
    await this.#connection.close()
  }

  async #dueOfShard(shard: number, now: number, limit: number): Promise<DueRecord[]> {
    const { due, dueLease } = this.#keys.shard(shard)
    const args = [this.#replica, dueLeaseMs, now, limit]
    const reply = (await this.#connection.run('millraceDue', [due, dueLease], args)) as string[]
    return await dueRecords(this.#connection, this.#keys, reply, limit)
  }
}
