// The keys of one page of one list. An entry is a key, or a group of keys that begin alike and entered together; some of
// a group may have left, which their rows tell. The entries of one beginning are taken together, because a group's keys
// may lie anywhere between the others.

import type { ListQuery, Partition, RecordKey } from '../../ports/store.ts'
import { compareNames } from '../merge-pages.ts'
import type { PartitionKeys } from './keys.ts'
import type { RedisConnection } from './redis-connection.ts'
import { beginningOf, listsOfRow, sizeOfGroup } from './row-text.ts'

/** One list of one partition. */
export interface ListSource {
  readonly partition: Partition
  readonly keys: PartitionKeys
  /** With the sign of its kind. */
  readonly list: string
  /** All lists of the query: a record that went from one of them to another meanwhile stays on the page. */
  readonly asked: ReadonlySet<string>
}

type Bounds = Pick<ListQuery, 'order' | 'after' | 'before'>

interface Beginning {
  readonly keys: RecordKey[]
  readonly groups: string[]
  /** The last of its entries as it stands in the list. */
  last: string
}

export class ListPage {
  readonly #connection: RedisConnection
  readonly #source: ListSource
  readonly #bounds: Bounds
  readonly #front: string

  constructor(connection: RedisConnection, source: ListSource, bounds: Bounds) {
    this.#connection = connection
    this.#source = source
    this.#bounds = bounds
    this.#front = `${source.list}\t`
  }

  async read(limit: number): Promise<RecordKey[]> {
    const found: RecordKey[] = []
    let atOnce = limit + 1
    let from: string | null = null
    while (found.length < limit) {
      const members = await this.#members(from, atOnce)
      const beginnings = this.#byBeginning(members)
      const isEnd = members.length < atOnce
      // There may be more of the last one.
      if (!isEnd) beginnings.pop()
      await this.#collect(beginnings, found, limit)
      if (isEnd) break
      from = beginnings.at(-1)?.last ?? from
      if (beginnings.length === 0) atOnce *= 2
    }
    return found
  }

  #members(from: string | null, atOnce: number): Promise<string[]> {
    const { order, after, before } = this.#bounds
    const front = this.#front
    let low = `[${front}${after === undefined ? '' : beginningOf(after)}`
    let high = before === undefined ? `(${front.slice(0, -1)}\n` : `(${front}${before}`
    if (from !== null && order === 'oldest') low = `(${from}`
    if (from !== null && order === 'newest') high = `(${from}`
    const { lists } = this.#source.keys
    return this.#connection.call((client) =>
      order === 'oldest'
        ? client.zrange(lists, low, high, 'BYLEX', 'LIMIT', 0, atOnce)
        : client.zrange(lists, high, low, 'BYLEX', 'REV', 'LIMIT', 0, atOnce),
    )
  }

  #byBeginning(members: readonly string[]): Beginning[] {
    const beginnings: Beginning[] = []
    let name: string | null = null
    for (const member of members) {
      const [key = '', group] = member.slice(this.#front.length).split('\t')
      const its = group === undefined ? beginningOf(key) : key
      if (its !== name) beginnings.push({ keys: [], groups: [], last: member })
      name = its
      const beginning = beginnings.at(-1)
      if (!beginning) continue
      beginning.last = member
      if (group === undefined) beginning.keys.push(key)
      else beginning.groups.push(group)
    }
    return beginnings
  }

  /** Adds the keys of these in their order, as many as are wanted. */
  async #collect(beginnings: readonly Beginning[], found: RecordKey[], limit: number): Promise<void> {
    for (let next = 0; next < beginnings.length && found.length < limit; ) {
      const some: Beginning[] = []
      for (let hoped = found.length; hoped < limit && next < beginnings.length; next++) {
        const beginning = beginnings[next]
        if (!beginning) continue
        some.push(beginning)
        hoped += beginning.keys.length
        for (const group of beginning.groups) hoped += sizeOfGroup(group)
      }
      await this.#collectSome(some, found, limit)
    }
  }

  async #collectSome(some: readonly Beginning[], found: RecordKey[], limit: number): Promise<void> {
    const alone = new Set(some.flatMap(({ keys }) => keys))
    const grouped = await this.#keysOfGroups(some.flatMap(({ groups }) => groups))
    const direction = this.#bounds.order === 'oldest' ? 1 : -1
    const keys = [...new Set([...alone, ...grouped])]
      .filter((key) => this.#isWithin(key))
      .sort((a, b) => direction * compareNames(a, b))
    for (let next = 0; next < keys.length && found.length < limit; ) {
      const slice = keys.slice(next, next + limit - found.length)
      next += slice.length
      const listed = await this.#stillListed(slice.filter((key) => !alone.has(key)))
      for (const key of slice) if (alone.has(key) || listed.has(key)) found.push(key)
    }
  }

  async #keysOfGroups(groups: readonly string[]): Promise<RecordKey[]> {
    if (groups.length === 0) return []
    const fields = groups.map((group) => `k${group}`)
    const { groups: hash } = this.#source.keys
    const texts = await this.#connection.call((client) => client.hmget(hash, ...fields))
    return texts.flatMap((text) => text?.split('\t') ?? [])
  }

  async #stillListed(keys: readonly RecordKey[]): Promise<Set<RecordKey>> {
    if (keys.length === 0) return new Set()
    const { keys: of, asked } = this.#source
    const rows = await this.#connection.call((client) => client.hmget(of.heads, ...keys))
    return new Set(
      keys.filter((_, index) => {
        const row = rows[index]
        return row != null && listsOfRow(row).some((list) => asked.has(list))
      }),
    )
  }

  #isWithin(key: RecordKey): boolean {
    const { after, before } = this.#bounds
    return (
      (after === undefined || compareNames(key, after) > 0) &&
      (before === undefined || compareNames(key, before) < 0)
    )
  }
}
