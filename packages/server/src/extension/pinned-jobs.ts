// How many jobs that have not ended are pinned to each version of an extension, from the counters that submits and
// reports keep in the same commit as the job.

import { type Extension, type PinnedJobs, queueOf, type SchemaHash } from '@millrace/domain'
import { openOfQueue } from '../job/job-places.ts'
import type { Store } from '../ports/store.ts'
import { allRooms } from '../room/list-rooms.ts'

const roomsAtOnce = 50

/** In its room; for a global or built-in extension, over all rooms. */
export async function pinnedJobs(store: Store, extension: Extension): Promise<PinnedJobs> {
  if (extension.room !== null) return pinnedIn(await store.counters(extension.room), extension)
  const pinned = new Map<SchemaHash, number>()
  for await (const names of inGroups(allRooms(store), roomsAtOnce)) {
    const counted = await Promise.all(names.map(({ name }) => store.counters(name)))
    for (const counters of counted) {
      for (const [hash, jobs] of pinnedIn(counters, extension))
        pinned.set(hash, (pinned.get(hash) ?? 0) + jobs)
    }
  }
  return pinned
}

export function pinnedIn(counters: Readonly<Record<string, number>>, extension: Extension): PinnedJobs {
  return countByVersion(extension, Object.entries(counters), openOfQueue)
}

/** Sums what is said of a version's queue and of those of its jobs that are addressed to one worker. */
export function countByVersion(
  { id, versions }: Extension,
  counts: readonly (readonly [string, number])[],
  nameOf: (queue: string) => string = (queue) => queue,
): PinnedJobs {
  const counted = new Map<SchemaHash, number>()
  for (const { hash } of versions) {
    const { scope, category, name } = id
    const own = nameOf(queueOf({ scope, category, extension: name, schemaHash: hash }))
    for (const [counter, jobs] of counts) {
      if (counter !== own && !counter.startsWith(`${own}/`)) continue
      counted.set(hash, (counted.get(hash) ?? 0) + jobs)
    }
  }
  return counted
}

async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let group: Item[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
