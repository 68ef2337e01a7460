// The snapshot made ready to compute on: sorted, so that the plan cannot depend on the order of the input; numbered, so
// that inner loops see small integers; and with every gate (pause, breaker, slow start) turned into a count on offer.

import type { RoomName, WorkerId } from '../ids.ts'
import { bandCount } from '../job/order.ts'
import { defaultNeed } from '../worker/resources.ts'
import { groupPools, type Pool, type PoolGroups } from './pools.ts'
import type { ClassDemand, ExtensionLimit, PlacementSnapshot, RoomDemand, WorkerSupply } from './snapshot.ts'
import { tabulate } from './tabulate.ts'

export interface Problem {
  readonly snapshot: PlacementSnapshot
  readonly rooms: readonly RoomDemand[]
  readonly classes: readonly ClassDemand[]
  readonly workers: readonly WorkerSupply[]
  readonly pools: readonly Pool[]
  readonly extensions: ReadonlyMap<string, ExtensionLimit>
  readonly roomOf: Int32Array
  readonly bandOf: Int32Array
  /** How many jobs of the class may start in this plan, whatever the supply. */
  readonly offered: Int32Array
  /** Slots, cpu and gpu in thousandths, memory: four numbers a class. */
  readonly needs: Float64Array
  /** 1 where the class may take slots that are kept for short ones. */
  readonly isShort: Int32Array
  /** The pools whose workers have the ability and the labels, healthy or not, with room or without. */
  readonly capablePools: readonly (readonly number[])[]
  readonly poolOf: Int32Array
  readonly roomRank: Int32Array
  readonly classRank: Int32Array
}

export const dimensions: number = 4

export function prepareProblem(snapshot: PlacementSnapshot): Problem {
  const classes = [...snapshot.classes].sort((a, b) => compareText(a.key, b.key))
  const workers = [...snapshot.workers].sort((a, b) => compareText(a.id, b.id))
  const rooms = roomsOf(snapshot)
  const { pools, poolsWith } = groupPools(workers, addressees(classes))
  const extensions = new Map((snapshot.extensions ?? []).map((limit) => [limit.extension, limit]))
  const numberOfRoom = new Map<RoomName, number>(rooms.map((room, index) => [room.name, index]))
  return {
    snapshot,
    rooms,
    classes,
    workers,
    pools,
    extensions,
    roomOf: tabulate(classes, ({ room }) => numberOfRoom.get(room)!),
    bandOf: tabulate(classes, ({ band }) => Math.min(bandCount - 1, Math.max(0, Math.floor(band)))),
    offered: tabulate(classes, (one) => offeredBy(one, extensions.get(one.extension), snapshot)),
    needs: needsOf(classes),
    isShort: tabulate(classes, ({ short }) => (short === true ? 1 : 0)),
    capablePools: capablePoolsOf(classes, pools, poolsWith),
    poolOf: poolsOfWorkers(pools, workers.length),
    roomRank: ranks(rooms),
    classRank: ranks(classes),
  }
}

export function headroom(limit: number | null | undefined, running: number): number | null {
  return limit === null || limit === undefined ? null : Math.max(0, limit - running)
}

/** Whether any worker with the ability and the labels passes the test. */
export function someCapable(
  { capablePools, pools }: Problem,
  one: number,
  test: (worker: number) => boolean,
): boolean {
  for (const pool of capablePools[one]!) {
    for (const worker of pools[pool]!.members) if (test(worker)) return true
  }
  return false
}

export function capableWorkers({ capablePools, pools }: Problem, one: number): readonly number[] {
  const able = capablePools[one]!
  return able.length === 1 ? pools[able[0]!]!.members : able.flatMap((pool) => pools[pool]!.members)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A room that has jobs but was not described has no limit and weight 1. */
function roomsOf({ rooms, classes }: PlacementSnapshot): RoomDemand[] {
  const byName = new Map<RoomName, RoomDemand>(rooms.map((room) => [room.name, room]))
  for (const { room } of classes) {
    if (!byName.has(room)) byName.set(room, { name: room, limit: null, running: 0 })
  }
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name))
}

function addressees(classes: readonly ClassDemand[]): Set<WorkerId> {
  const named = new Set<WorkerId>()
  for (const { addressee } of classes) if (addressee !== undefined) named.add(addressee)
  return named
}

function offeredBy(
  { pending, pausedBy }: ClassDemand,
  limit: ExtensionLimit | undefined,
  { maxStartsPerClass }: PlacementSnapshot,
): number {
  if (pausedBy !== undefined) return 0
  const breaker = limit?.breaker?.state
  if (breaker === 'open' || breaker === 'probing') return 0
  const waiting = Math.min(pending, maxStartsPerClass ?? pending)
  return breaker === 'half_open' ? Math.min(1, waiting) : waiting
}

function needsOf(classes: readonly ClassDemand[]): Float64Array {
  const needs = new Float64Array(classes.length * dimensions)
  let at = 0
  for (const { needs: chosen } of classes) {
    needs[at++] = Math.max(1, chosen?.slots ?? defaultNeed.slots)
    needs[at++] = thousandths(chosen?.cpu ?? defaultNeed.cpu)
    needs[at++] = chosen?.memoryMb ?? defaultNeed.memoryMb
    needs[at++] = thousandths(chosen?.gpu ?? defaultNeed.gpu)
  }
  return needs
}

/** Whole numbers, so that taking and giving back leaves no crumbs. */
export function thousandths(value: number): number {
  return Math.round(value * 1_000)
}

function capablePoolsOf(
  classes: readonly ClassDemand[],
  pools: readonly Pool[],
  poolsWith: PoolGroups['poolsWith'],
): (readonly number[])[] {
  return classes.map(({ ability, needs, addressee }) => {
    const able = poolsWith(ability)
    const labels = needs?.labels ?? defaultNeed.labels
    if (labels.length === 0 && addressee === undefined) return able
    return able.filter((index) => {
      const pool = pools[index]!
      return (
        (addressee === undefined || pool.key === addressee) &&
        labels.every((label) => pool.labels.includes(label))
      )
    })
  })
}

function poolsOfWorkers(pools: readonly Pool[], workerCount: number): Int32Array {
  const poolOf = new Int32Array(workerCount)
  for (const [pool, { members }] of pools.entries()) for (const worker of members) poolOf[worker] = pool
  return poolOf
}

/** Both lists are sorted by name already, so equal instants keep that order. */
function ranks(list: readonly { readonly lastStartAt?: number }[]): Int32Array {
  const order = [...list.keys()].sort(
    (a, b) => (list[a]!.lastStartAt ?? 0) - (list[b]!.lastStartAt ?? 0) || a - b,
  )
  const rank = new Int32Array(list.length)
  for (const [position, index] of order.entries()) rank[index] = position
  return rank
}
