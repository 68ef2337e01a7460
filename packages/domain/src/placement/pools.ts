// A pool is the workers that are alike to placement: the same abilities, labels and size. The flow is decided between
// classes and pools, which are few, and only then divided among workers, which are many.

import type { WorkerId } from '../ids.ts'
import { type Resources, resourceNames } from '../worker/resources.ts'
import type { WorkerSupply } from './snapshot.ts'

export interface Pool {
  /** The id of its first worker. */
  readonly key: WorkerId
  /** Positions in the list of workers that was grouped. */
  readonly members: readonly number[]
  readonly labels: readonly string[]
}

export interface PoolGroups {
  readonly pools: readonly Pool[]
  /** For each ability the positions of the pools that have it. */
  readonly byAbility: ReadonlyMap<string, { readonly pools: readonly number[] }>
}

/** Workers in `alone` (those that somebody addresses by name) form a pool of their own. */
export function groupPools(workers: readonly WorkerSupply[], alone?: ReadonlySet<WorkerId>): PoolGroups {
  const pools: GrowingPool[] = []
  const byAbility = new Map<string, AbilityEntry>()
  const byPrint = new Map<number, number[]>()
  for (const [index, worker] of workers.entries()) {
    const entries = entriesOf(byAbility, worker.abilities, index)
    const print = fingerprint(entries, worker)
    const likely = alone?.has(worker.id) === true ? undefined : byPrint.get(print)
    const found = likely?.find((pool) => isAlike(worker, entries, pools[pool]!, pool))
    if (found !== undefined) {
      pools[found]!.members.push(index)
      continue
    }
    const pool = pools.push(newPool(worker, index, entries.length)) - 1
    for (const { pools: able } of entries) able.push(pool)
    if (alone?.has(worker.id) === true) continue
    if (likely === undefined) byPrint.set(print, [pool])
    else likely.push(pool)
  }
  return { pools, byAbility }
}

interface GrowingPool extends Pool {
  readonly members: number[]
  readonly total: Resources
  readonly abilityCount: number
}

function newPool({ id, labels, total }: WorkerSupply, index: number, abilityCount: number): GrowingPool {
  return { key: id, members: [index], labels: labels ?? [], total, abilityCount }
}

interface AbilityEntry {
  readonly number: number
  readonly pools: number[]
  /** The last worker seen with it: an ability that a worker names twice counts once. */
  lastWorker: number
}

function entriesOf(
  byAbility: Map<string, AbilityEntry>,
  abilities: readonly string[],
  worker: number,
): AbilityEntry[] {
  const entries: AbilityEntry[] = []
  for (const ability of abilities) {
    let entry = byAbility.get(ability)
    if (entry === undefined) {
      entry = { number: byAbility.size + 1, pools: [], lastWorker: -1 }
      byAbility.set(ability, entry)
    }
    if (entry.lastWorker !== worker) entries.push(entry)
    entry.lastWorker = worker
  }
  return entries
}

/** Equal for workers that are alike, in whatever order they name their abilities; seldom equal for others. */
function fingerprint(entries: readonly AbilityEntry[], { total, labels }: WorkerSupply): number {
  let print = entries.length + 31 * (labels?.length ?? 0) + 131 * total.slots
  for (const { number } of entries) print = (print + Math.imul(number ^ (number >>> 7), 0x9e3779b1)) | 0
  return print
}

/** Every pool that an ability's entry lists has it, so no names need to be compared for those. */
function isAlike(
  { total, labels }: WorkerSupply,
  entries: readonly AbilityEntry[],
  pool: GrowingPool,
  position: number,
): boolean {
  return (
    entries.length === pool.abilityCount &&
    entries.every(({ pools }) => pools.includes(position)) &&
    resourceNames.every((name) => total[name] === pool.total[name]) &&
    haveSameWords(labels ?? [], pool.labels)
  )
}

function haveSameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word) => other.includes(word))
}
