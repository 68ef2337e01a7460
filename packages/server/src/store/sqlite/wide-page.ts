// Which records a page across rooms holds, of lists that may have one in it: a few keys of each list first, and further
// ones only of lists whose keys all fall into the page.

import { compareNames } from '../merge-pages.ts'

export interface KeyList {
  readonly partition: string
  /** The list's next keys in the order of the page, behind `last`. */
  keys(last: string | null, count: number): readonly string[]
}

interface Entry {
  readonly partition: string
  readonly key: string
}

const fewest = 4

export function widePage(lists: readonly KeyList[], order: 'oldest' | 'newest', limit: number): Entry[] {
  const direction = order === 'oldest' ? 1 : -1
  const compare = (a: Entry, b: Entry): number =>
    direction * (compareNames(a.key, b.key) || compareNames(a.partition, b.partition))
  const entries = new Map<string, Entry>()
  let reading = lists.map((list) => ({ list, last: null as Entry | null }))
  for (let few = Math.max(fewest, Math.ceil((2 * limit) / lists.length)); ; few *= 2) {
    reading = reading.flatMap(({ list, last }) => {
      const keys = list.keys(last?.key ?? null, few)
      for (const key of keys) entries.set(`${key}\t${list.partition}`, { partition: list.partition, key })
      const key = keys.at(-1)
      const isMore = key !== undefined && keys.length === few
      return isMore ? [{ list, last: { partition: list.partition, key } }] : []
    })
    const page = [...entries.values()].sort(compare).slice(0, limit)
    const end = page.length === limit ? page.at(-1) : undefined
    reading = reading.filter(({ last }) => !end || (last && compare(last, end) < 0))
    if (reading.length === 0) return page
  }
}
