// One instant of the whole: what waits and where it could run, as placement wants it. Counters are read only for rooms
// that have a limit; for the others this replica's own view of what runs is enough to be fair by.

import type { ClassDemand, ExtensionLimit, PlacementSnapshot, RoomDemand, RoomName } from '@millrace/domain'
import { band, breakerGate } from '@millrace/domain'
import { runningCounter, runningOfQueue } from '../job/job-places.ts'
import type { Store } from '../ports/store.ts'
import type { Rooms } from '../room/rooms.ts'
import type { Roster } from '../worker/roster.ts'
import type { ClassBook, PlacementClass } from './class-book.ts'
import type { ShortExtensions } from './short-extensions.ts'
import type { WaitingQueue, WaitingQueues } from './waiting-queues.ts'

export interface Surroundings {
  readonly store: Store
  readonly rooms: Rooms
  readonly roster: Roster
  readonly waiting: WaitingQueues
  readonly book: ClassBook
  readonly starts: LastStarts
  readonly shorts: ShortExtensions
}

/** When rooms and classes were last served: of equals the one that waited longer goes first. */
export type LastStarts = Map<string, number>

export interface Snapshot {
  readonly snapshot: PlacementSnapshot
  readonly classes: ReadonlyMap<string, PlacementClass>
  readonly limits: ReadonlyMap<string, number | null>
}

interface OpenRoom {
  readonly limit: number | null
  readonly weight: number
  readonly counters: Readonly<Record<string, number>>
}

/** `asking` are queues that nobody waits in yet. */
export async function takeSnapshot(
  around: Surroundings,
  asking: readonly WaitingQueue[] = [],
): Promise<Snapshot> {
  const { roster, starts, store, shorts } = around
  const queues = [...around.waiting.all(), ...asking]
  const classes = await classesOf(around.book, queues)
  const open = await roomsOf(around, classes)
  const now = store.now()
  const rooms: RoomDemand[] = [...open].map(([name, { limit, weight, counters }]) => ({
    name: name as RoomName,
    limit,
    weight,
    running: limit === null ? roster.runningIn(name as RoomName) : (counters[runningCounter] ?? 0),
    lastStartAt: starts.get(name) ?? 0,
  }))
  const demands = queues.map((queue) => demandOf(queue, classes, open, around, now))
  const extensions = extensionLimits(classes, open, now)
  return {
    snapshot: { rooms, classes: demands, workers: shorts.supplies(roster, now), extensions },
    classes,
    limits: new Map([...open].map(([name, { limit }]) => [name, limit])),
  }
}

async function classesOf(
  book: ClassBook,
  queues: readonly WaitingQueue[],
): Promise<ReadonlyMap<string, PlacementClass>> {
  const classes = new Map<string, PlacementClass>()
  for (const { room, queue } of queues) {
    const known = book.known(room, queue) ?? (await book.learn(room, queue))
    classes.set(known.key, known)
  }
  return classes
}

async function roomsOf(
  { rooms, store }: Surroundings,
  classes: ReadonlyMap<string, PlacementClass>,
): Promise<ReadonlyMap<string, OpenRoom>> {
  const limitedByExtension = new Set<string>()
  const names = new Set<string>()
  for (const { room, maxRunning } of classes.values()) {
    names.add(room)
    if (maxRunning !== null) limitedByExtension.add(room)
  }
  const openRoom = async (name: string): Promise<readonly [string, OpenRoom]> => {
    const { limit, weight } = (await rooms.get(name))?.value.settings ?? { limit: null, weight: 1 }
    const counters = limit === null && !limitedByExtension.has(name) ? {} : await store.counters(name)
    return [name, { limit, weight, counters }]
  }
  return new Map(await Promise.all([...names].map(openRoom)))
}

function demandOf(
  { room, queue, pending, headScore }: WaitingQueue,
  classes: ReadonlyMap<string, PlacementClass>,
  open: ReadonlyMap<string, OpenRoom>,
  { starts, shorts }: Surroundings,
  now: number,
): ClassDemand {
  const key = `${room} ${queue}`
  const wanted = classes.get(key) as PlacementClass
  const { extension, ability, needs, pausedBy } = wanted
  return {
    key,
    room: room as RoomName,
    extension,
    ability,
    band: band(headScore, now),
    pending,
    running: open.get(room)?.counters[runningOfQueue(queue)] ?? 0,
    lastStartAt: starts.get(key) ?? 0,
    needs,
    short: shorts.isShort(wanted),
    quick: shorts.isQuick(wanted),
    instant: shorts.isInstant(wanted),
    ...(pausedBy !== null && { pausedBy }),
  }
}

function extensionLimits(
  classes: ReadonlyMap<string, PlacementClass>,
  open: ReadonlyMap<string, OpenRoom>,
  now: number,
): readonly ExtensionLimit[] {
  const limits = new Map<string, ExtensionLimit>()
  for (const { extension, maxRunning, room, queue, breaker } of classes.values()) {
    const gate = breaker.state === 'closed' ? null : breakerGate(breaker, now)
    if (maxRunning === null && gate === null) continue
    const before = limits.get(extension)?.running ?? 0
    const running = before + (open.get(room)?.counters[runningOfQueue(queue)] ?? 0)
    limits.set(extension, { extension, maxRunning, running, ...(gate !== null && { breaker: gate }) })
  }
  return [...limits.values()]
}
