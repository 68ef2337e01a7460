// How extensions do: what waits, what runs, what ended and how long it took. For screens; nothing is decided by it.

import {
  type Caller,
  type Extension,
  type ExtensionId,
  liveWorkers,
  mayRead,
  queueOf,
  type Refusal,
  type Room,
  refuse,
  type WorkerId,
} from '@millrace/domain'
import { runningOfQueue } from '../job/job-places.ts'
import { nameOf, type RunTimes, type TimeFigures } from '../job/run-times.ts'
import type { OtherReplicas, PoolSummaries } from '../placement/pool-summaries.ts'
import type { Store } from '../ports/store.ts'
import { allRooms } from '../room/list-rooms.ts'
import { freeOn, type Roster } from '../worker/roster.ts'
import { type SeenBreaker, seenBreaker } from './breaker-view.ts'
import type { Extensions } from './extensions.ts'

export interface StatsParts {
  readonly store: Store
  readonly known: Extensions
  readonly roster: Roster
  readonly times: RunTimes
  readonly summaries: Pick<PoolSummaries, 'others'>
}

export interface ExtensionFigures extends ExtensionId, TimeFigures {
  readonly workers: number
  readonly freeSlots: number
  readonly pending: number
  readonly running: number
  readonly completed: number
  readonly failed: number
  readonly breaker: SeenBreaker
}

export async function extensionStats(
  parts: StatsParts,
  room: Room,
  id: ExtensionId,
): Promise<ExtensionFigures | Refusal> {
  const found = await parts.known.get(room.name, id)
  if (!found) return refuse('extension_not_found')
  const figures = await figuresOf(parts, await parts.summaries.others(), room, [found.value])
  return figures[0] ?? refuse('extension_not_found')
}

/** Rooms that the caller may not see are left out, and with them what they say of global extensions. */
export async function extensionsOverview(
  parts: StatsParts,
  who: Caller,
): Promise<(ExtensionFigures & { readonly room: string | null })[]> {
  const overview: (ExtensionFigures & { readonly room: string | null })[] = []
  const others = await parts.summaries.others()
  for await (const room of allRooms(parts.store)) {
    if (!mayRead(room, who)) continue
    const inReach = await parts.known.listIn(room.name)
    const figures = await figuresOf(parts, others, room, inReach)
    for (const one of figures) {
      if (one.scope === 'room' || one.pending + one.running + one.completed + one.failed > 0)
        overview.push({ ...one, room: room.name })
    }
  }
  return overview
}

async function figuresOf(
  { store, roster, times }: StatsParts,
  others: OtherReplicas,
  room: Room,
  extensions: readonly Extension[],
): Promise<ExtensionFigures[]> {
  const [counters, queues] = await Promise.all([store.counters(room.name), store.queues(room.name)])
  const depth = new Map(queues.map(({ queue, pending }) => [queue, pending]))
  return extensions.map((extension) => {
    const { scope, category, name } = extension.id
    const names = extension.versions.map(({ hash }) =>
      queueOf({ scope, category, extension: name, schemaHash: hash }),
    )
    const which = { room: room.name, scope, category, extension: name }
    const ended = (status: string): number => counters[`${status}:${scope}/${category}/${name}`] ?? 0
    const sum = (of: (queue: string) => number | undefined): number =>
      names.reduce((total, queue) => total + (of(queue) ?? 0), 0)
    return {
      scope,
      category,
      name,
      workers: liveWorkers(extension).length,
      freeSlots: liveWorkers(extension).reduce(
        (total, worker) => total + freeSlots(roster, others, worker),
        0,
      ),
      pending: sum((queue) => depth.get(queue)),
      running: sum((queue) => counters[runningOfQueue(queue)]),
      completed: ended('completed'),
      failed: ended('failed'),
      breaker: seenBreaker(extension, store.now()),
      ...times.figures(which, others.timesOf(nameOf(which))),
    }
  })
}

/** Of a worker at another replica, as that one last said. */
function freeSlots(roster: Roster, { supplies }: OtherReplicas, worker: WorkerId): number {
  const stationed = roster.get(worker)
  return stationed ? freeOn(stationed).slots : (supplies.get(worker)?.free.slots ?? 0)
}
