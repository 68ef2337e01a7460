// Pages, queues and counters: what screens and placement read. Each call names the keys of the partition it was asked
// about and no other; only questions across partitions touch every shard.

import type { ListQuery, Partition, QueueDepth, RecordKey, StoredRecord } from '../../ports/store.ts'
import { decodeScore } from '../change-shape.ts'
import { compareNames, mergePages } from '../merge-pages.ts'
import type { Keys } from './keys.ts'
import { ListPage, type ListSource } from './list-page.ts'
import type { RedisConnection } from './redis-connection.ts'
import { parseRow } from './row-text.ts'

const scoreWidth = 14

// Enough of each room for a page over many, few enough that a thousand rooms answer in one go.
const fewFirst = 8

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
    const sources =
      query.partition === null ? await this.#wideSources(query) : this.#sourcesIn(query.partition, query)
    const found = await this.#firstKeys(sources, query)
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

  #sourcesIn(partition: Partition, { lists }: ListQuery): ListSource[] {
    const keys = this.#keys.partition(partition)
    const names = lists.flatMap((name) => [`*${name}`, `-${name}`])
    const asked = new Set(names)
    return names.map((list) => ({ partition, keys, list, asked }))
  }

  async #wideSources(query: ListQuery): Promise<ListSource[]> {
    const partitions = await this.#everyShard((shard) =>
      this.#connection.call((client) => client.smembers(this.#keys.shard(shard).partitions)),
    )
    const names = query.lists.map((name) => `*${name}`)
    const asked = new Set(names)
    return partitions.flat().flatMap((partition) => {
      const keys = this.#keys.partition(partition)
      return names.map((list) => ({ partition, keys, list, asked }))
    })
  }

  /**
   * The keys a page over all sources may need, by partition. A few are taken from each source first; only a source
   * whose few all fall into the page is asked for more, so a page over a thousand rooms does not fetch a thousand pages.
   */
  async #firstKeys(
    sources: readonly ListSource[],
    query: ListQuery,
  ): Promise<Map<Partition, Set<RecordKey>>> {
    const few = sources.length > 10 ? Math.min(query.limit, fewFirst) : query.limit
    const firsts = await Promise.all(sources.map((source) => this.#page(source, query, few)))
    const worst = worstInPage(distinctKeys(sources, firsts), query)
    const pages = await Promise.all(
      firsts.map(async (first, index) => {
        const source = sources[index]
        const last = first.at(-1)
        const mayHaveMore = first.length === few && few < query.limit && last !== undefined
        if (!source || !mayHaveMore || (worst !== null && inOrder(query, worst, last))) return first
        return await this.#page(source, query, query.limit)
      }),
    )
    const keys = new Map<Partition, Set<RecordKey>>()
    for (const [index, { partition }] of sources.entries()) {
      const known = keys.get(partition) ?? new Set()
      for (const key of pages[index] ?? []) known.add(key)
      keys.set(partition, known)
    }
    return keys
  }

  #page(source: ListSource, query: ListQuery, limit: number): Promise<RecordKey[]> {
    return new ListPage(this.#connection, source, query).read(limit)
  }

  #range(key: string, low: string, high: string): Promise<string[]> {
    return this.#connection.call((client) => client.zrange(key, low, high, 'BYLEX'))
  }

  async #depth(member: string): Promise<QueueDepth | null> {
    const [partition = '', id = '', queue = ''] = member.split('\t')
    const { numbers, lists } = this.#keys.partition(partition)
    const [pending, head] = await this.#connection.call((client) =>
      Promise.all([
        client.hget(numbers, `q${id}`),
        client.zrange(lists, `[q${id}\t`, `(q${id}\n`, 'BYLEX', 'LIMIT', 0, 1),
      ]),
    )
    const first = head[0]
    // Emptied between the two questions.
    if (pending === null || first === undefined) return null
    const score = first.slice(id.length + 2, id.length + 2 + scoreWidth)
    return { partition, queue, pending: Number(pending), headScore: decodeScore(score) }
  }

  #everyShard<Answer>(ask: (shard: number) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(Array.from({ length: this.#keys.shards }, (_, shard) => ask(shard)))
  }
}

/** The keys of these pages, one for each record, however many of the lists it stands in. */
function distinctKeys(sources: readonly ListSource[], pages: readonly (readonly RecordKey[])[]): RecordKey[] {
  const keys = new Map<string, RecordKey>()
  for (const [index, { partition }] of sources.entries()) {
    for (const key of pages[index] ?? []) keys.set(`${partition}\t${key}`, key)
  }
  return [...keys.values()]
}

/** The last key of the page that these keys alone would make; null when they do not fill it. */
function worstInPage(keys: readonly RecordKey[], query: ListQuery): RecordKey | null {
  if (keys.length < query.limit) return null
  const sorted = [...keys].sort((a, b) =>
    query.order === 'oldest' ? compareNames(a, b) : compareNames(b, a),
  )
  return sorted[query.limit - 1] ?? null
}

function inOrder({ order }: ListQuery, first: RecordKey, second: RecordKey): boolean {
  return order === 'oldest' ? compareNames(first, second) <= 0 : compareNames(first, second) >= 0
}
