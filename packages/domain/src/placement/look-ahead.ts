// Jobs handed to a worker before it has a slot for them. Where runs take a few milliseconds, a report, a claim and a push
// take longer than the job: without this, slots of such a worker are empty for most of the time. It comes after the plan
// and out of what is left, so the plan stays fair and its reasons stay true.

import type { RoomName, WorkerId } from '../ids.ts'
import type { Assignment } from './plan.ts'
import type { ClassDemand, PlacementSnapshot, WorkerSupply } from './snapshot.ts'

/** What a worker takes beyond its slots. Told only of workers that run nothing but quick jobs. */
export interface Ahead {
  /** How many it runs at the same time. */
  readonly slots: number
  /** Jobs it can still be handed, those for its free slots included. */
  readonly free: number
  /** What jobs of one room may hold of it together, so that those of another find a place in its line. */
  readonly perRoom: number
  readonly held: ReadonlyMap<RoomName, number>
}

/**
 * Of jobs that are quick and not instant a line holds this many for each slot, some sixty milliseconds of work: more would
 * stand behind them while another worker has nothing to do. Fewer of the instant ones leave server, store and worker taking
 * turns, each of them waiting for the other two.
 */
const quickPerSlot = 6

/** Fewer runs say nothing about 95 in 100. */
const quickAfter = 20
const quickShare = 0.95

/** Whether runs are so short that being handed over takes longer. Never believed before it was measured. */
export function isQuick(measured: number, below: number): boolean {
  return measured >= quickAfter && below >= quickShare * measured
}

export function lookAhead(
  snapshot: PlacementSnapshot,
  planned: readonly Assignment[],
): readonly Assignment[] {
  const left = leftOver(snapshot, planned)
  if (left.size === 0) return []
  const classes = new Map(snapshot.classes.map((one) => [one.key, one]))
  const more: Assignment[] = []
  for (const worker of [...snapshot.workers].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const line = lineAt(worker, planned, classes)
    if (line) more.push(...fill(line, left))
  }
  return more
}

type LeftOver = Map<RoomName, { readonly demand: ClassDemand; count: number }[]>

/** By room, its quick classes in the order of their bands. Where a limit has a say, nobody is handed anything early. */
function leftOver(snapshot: PlacementSnapshot, planned: readonly Assignment[]): LeftOver {
  const left: LeftOver = new Map()
  if (snapshot.maxRunning != null || snapshot.maxStartsPerClass !== undefined) return left
  const placed = new Map<string, number>()
  for (const { class: key, count } of planned) placed.set(key, (placed.get(key) ?? 0) + count)
  const unlimited = new Set(snapshot.rooms.filter(({ limit }) => limit === null).map(({ name }) => name))
  const guarded = new Set(snapshot.extensions?.map(({ extension }) => extension))
  for (const demand of [...snapshot.classes].sort((a, b) => b.band - a.band || (a.key < b.key ? -1 : 1))) {
    const count = demand.pending - (placed.get(demand.key) ?? 0)
    const { room, quick, pausedBy, addressee } = demand
    if (!quick || count <= 0 || pausedBy !== undefined || addressee !== undefined) continue
    if (!unlimited.has(room) || guarded.has(demand.extension)) continue
    left.set(room, [...(left.get(room) ?? []), { demand, count }])
  }
  return left
}

interface Line {
  readonly worker: WorkerId
  readonly slots: number
  readonly abilities: ReadonlySet<string>
  free: number
  readonly perRoom: number
  readonly held: Map<RoomName, number>
}

/** What is free behind a worker when the plan has been carried out; null for one that is getting a slow job. */
function lineAt(
  { id, abilities, ahead, health, draining }: WorkerSupply,
  planned: readonly Assignment[],
  classes: ReadonlyMap<string, ClassDemand>,
): Line | null {
  if (!ahead || !health.ok || draining) return null
  const line: Line = {
    worker: id,
    slots: ahead.slots,
    abilities: new Set(abilities),
    free: ahead.free,
    perRoom: ahead.perRoom,
    held: new Map(ahead.held),
  }
  for (const { class: key, worker, count } of planned) {
    if (worker !== id) continue
    const demand = classes.get(key)
    if (!demand?.quick) return null
    hold(line, demand.room, count)
  }
  return line.free > 0 ? line : null
}

function hold(line: Line, room: RoomName, count: number): void {
  line.free -= count
  line.held.set(room, (line.held.get(room) ?? 0) + count)
}

/** Rooms share what is free equally, as long as each wants it and may have it. */
function fill(line: Line, left: LeftOver): Assignment[] {
  const given = new Map<string, number>()
  for (let rooms = [...left.keys()].sort(); rooms.length > 0 && line.free > 0; ) {
    const share = Math.max(1, Math.floor(line.free / rooms.length))
    rooms = rooms.filter((room) => give(line, room, left.get(room) ?? [], Math.min(share, line.free), given))
  }
  return [...given].map(([key, count]) => ({ class: key, worker: line.worker, count }))
}

/** Whether the room took its whole share, and may want more. */
function give(
  line: Line,
  room: RoomName,
  classes: { readonly demand: ClassDemand; count: number }[],
  share: number,
  given: Map<string, number>,
): boolean {
  let allowed = Math.min(share, line.perRoom - (line.held.get(room) ?? 0))
  const isWhole = allowed === share
  for (const one of classes) {
    if (allowed <= 0) break
    const { key, ability } = one.demand
    if (!line.abilities.has(ability)) continue
    const count = Math.min(allowed, one.count, roomFor(line, one.demand))
    if (count <= 0) continue
    one.count -= count
    allowed -= count
    hold(line, room, count)
    given.set(key, (given.get(key) ?? 0) + count)
  }
  return isWhole && allowed === 0 && share > 0
}

/** What a line still takes of a class, besides what its room may hold of it. */
function roomFor({ slots, held }: Line, { room, instant }: ClassDemand): number {
  if (instant) return Number.POSITIVE_INFINITY
  let all = 0
  for (const count of held.values()) all += count
  const ofRoom = slots + Math.floor((slots * quickPerSlot) / 2) - (held.get(room) ?? 0)
  return Math.min(ofRoom, slots + slots * quickPerSlot - all)
}
