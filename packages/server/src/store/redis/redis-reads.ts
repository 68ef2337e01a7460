// Pages, queues and counters: what screens and placement read. Each call names the keys of the partition it was asked
// about and no other; only questions across partitions touch every shard.

import type { ListQuery, Partition, QueueDepth, RecordKey, StoredRecord } from '../../ports/store.ts'
import { decodeScore } from '../change-shape.ts'
import { compareNames, mergePages } from '../merge-pages.ts'
import type { Keys } from './keys.ts'
import type { RedisConnection } from './redis-connection.ts'
import { decodeAttempt } from './write-args.ts'

const scoreWidth = 14

export class RedisReads {
  readonly #connection: RedisConnection
  readonly #keys: Keys

  constructor(connection: RedisConnection, keys: Keys) {
    this.#connection = connection
    this.#keys = keys
  }

  async read(partition: Partition, keys: readonly RecordKey[]): Promise<(StoredRecord | null)[]> {
    if (keys.length === 0) return []
    const { heads, bodies } = this.#keys.partition(partition)
    const [rows, texts] = await this.#connection.call((client) =>
      Promise.all([client.hmget(heads, ...keys), client.hmget(bodies, ...keys)]),
    )
    return keys.map((key, index) => {
      const row = rows[index]
      return row == null ? null : { partition, key, ...parseRow(row), body: texts[index] ?? '' }
    })
  }

  async list(query: ListQuery): Promise<StoredRecord[]> {
    const found =
      query.partition === null
        ? await this.#wideKeys(query)
        : await this.#partitionKeys(query.partition, query)
    const pages = await Promise.all([...found].map(([partition, keys]) => this.read(partition, [...keys])))
    return mergePages(
      pages.flat().filter((record) => record !== null),
      query,
    )
  }

  async queues(partition?: Partition): Promise<QueueDepth[]> {
    const members =
      partition === undefined
        ? (await this.#everyShard((shard) => this.#range(this.#keys.shard(shard).queues, '-', '+'))).flat()
        : await this.#range(
            this.#keys.shard(this.#keys.shardOf(partition)).queues,
            `[${partition}\t`,
            `(${partition}\n`,
          )
    const depths = await Promise.all(members.map((member) => this.#depth(member)))
    return depths
      .filter((depth) => depth !== null)
      .sort((a, b) => compareNames(a.partition, b.partition) || compareNames(a.queue, b.queue))
  }

  async counters(partition: Partition): Promise<Record<string, number>> {
    const numbers = await this.#connection.call((client) =>
      client.hgetall(this.#keys.partition(partition).numbers),
    )
    const counters = Object.entries(numbers).filter(([field]) => field.startsWith('c'))
    counters.sort(([a], [b]) => compareNames(a, b))
    return Object.fromEntries(counters.map(([field, value]) => [field.slice(1), Number(value)]))
  }

  async #partitionKeys(partition: Partition, query: ListQuery): Promise<Map<Partition, Set<RecordKey>>> {
    const { lists } = this.#keys.partition(partition)
    const pages = await Promise.all(
      query.lists.map(async (name) => {
        const prefix = `l${name}\t`
        const members = await this.#page(lists, prefix, query, query.after)
        return members.map((member) => member.slice(prefix.length))
      }),
    )
    return new Map([[partition, new Set(pages.flat())]])
  }

  async #wideKeys(query: ListQuery): Promise<Map<Partition, Set<RecordKey>>> {
    // A member goes on with a tab and its partition, so a bound at the bare key would let the cursor's record in again.
    const after = query.after === undefined ? undefined : `${query.after}\n`
    const pages = await this.#everyShard(async (shard) => {
      const { wide } = this.#keys.shard(shard)
      const members = await Promise.all(
        query.lists.map(async (name) =>
          (await this.#page(wide, `${name}\t`, query, after)).map((member) => member.slice(name.length + 1)),
        ),
      )
      return members.flat().map((member) => member.split('\t') as [RecordKey, Partition])
    })
    const page = pages
      .flat()
      .sort(([a], [b]) => (query.order === 'oldest' ? compareNames(a, b) : compareNames(b, a)))
      .slice(0, query.limit * query.lists.length)
    const keys = new Map<Partition, Set<RecordKey>>()
    for (const [key, partition] of page) keys.set(partition, (keys.get(partition) ?? new Set()).add(key))
    return keys
  }

  #page(key: string, prefix: string, query: ListQuery, after: string | undefined): Promise<string[]> {
    const low = after === undefined ? `[${prefix}` : `(${prefix}${after}`
    const high = query.before === undefined ? `(${prefix.slice(0, -1)}\n` : `(${prefix}${query.before}`
    return this.#connection.call((client) =>
      query.order === 'oldest'
        ? client.zrange(key, low, high, 'BYLEX', 'LIMIT', 0, query.limit)
        : client.zrange(key, high, low, 'BYLEX', 'REV', 'LIMIT', 0, query.limit),
    )
  }

  #range(key: string, low: string, high: string): Promise<string[]> {
    return this.#connection.call((client) => client.zrange(key, low, high, 'BYLEX'))
  }

  async #depth(member: string): Promise<QueueDepth | null> {
    const tab = member.indexOf('\t')
    const [partition, queue] = [member.slice(0, tab), member.slice(tab + 1)]
    const { numbers, lists } = this.#keys.partition(partition)
    const [pending, head] = await this.#connection.call((client) =>
      Promise.all([
        client.hget(numbers, `q${queue}`),
        client.zrange(lists, `[q${queue}\t`, `(q${queue}\n`, 'BYLEX', 'LIMIT', 0, 1),
      ]),
    )
    const first = head[0]
    // Emptied between the two questions.
    if (pending === null || first === undefined) return null
    const score = first.slice(queue.length + 2, queue.length + 2 + scoreWidth)
    return { partition, queue, pending: Number(pending), headScore: decodeScore(score) }
  }

  #everyShard<Answer>(ask: (shard: number) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(Array.from({ length: this.#keys.shards }, (_, shard) => ask(shard)))
  }
}

function parseRow(row: string): { version: number; head: string; attempt: string | null } {
  const lines = row.split('\n')
  const [version, attempt, head] = [lines[0], lines[5], lines[6]]
  return { version: Number(version), head: head ?? '', attempt: decodeAttempt(attempt ?? '') }
}
