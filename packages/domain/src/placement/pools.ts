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
  /** The positions of the pools that have the ability. */
  readonly poolsWith: (ability: string) => readonly number[]
}

/** Workers in `alone` (those that somebody addresses by name) form a pool of their own. */
export function groupPools(workers: readonly WorkerSupply[], alone?: ReadonlySet<WorkerId>): PoolGroups {
  const pools: GrowingPool[] = []
  const abilities = new AbilityTable()
  const byPrint = new Map<number, number[]>()
  for (let index = 0; index < workers.length; index++) {
    const worker = workers[index]!
    const isAlone = alone?.has(worker.id) === true
    const print = fingerprint(worker, abilities.read(worker.abilities))
    const likely = isAlone ? undefined : byPrint.get(print)
    const found = likely?.find((pool) => isAlike(worker, pools[pool]!) && abilities.areOf(pool, pools[pool]!))
    if (found !== undefined) {
      pools[found]!.members.push(index)
      continue
    }
    const pool = pools.push(newPool(worker, index, abilities.count)) - 1
    abilities.enter(pool)
    if (likely !== undefined) likely.push(pool)
    else if (!isAlone) byPrint.set(print, [pool])
  }
  return { pools, poolsWith: (ability) => abilities.poolsWith(ability) }
}

interface GrowingPool extends Pool {
  readonly members: number[]
  readonly total: Resources
  readonly abilityCount: number
}

function newPool({ id, labels, total }: WorkerSupply, index: number, abilityCount: number): GrowingPool {
  return { key: id, members: [index], labels: labels ?? [], total, abilityCount }
}

/** Equal for workers that are alike, in whatever order they name their abilities; seldom equal for others. */
function fingerprint({ total, labels }: WorkerSupply, abilityPrint: number): number {
  return (abilityPrint + 31 * (labels?.length ?? 0) + 131 * total.slots) | 0
}

function isAlike({ total, labels }: WorkerSupply, pool: GrowingPool): boolean {
  const names = labels ?? []
  return (
    resourceNames.every((name) => total[name] === pool.total[name]) &&
    names.length === pool.labels.length &&
    names.every((label) => pool.labels.includes(label))
  )
}

/** Numbers abilities, and knows those of one worker at a time: reading every list as strings once is dear enough. */
class AbilityTable {
  private readonly numbers = new Map<string, number>()
  private readonly pools: number[][] = []
  /** By ability, which reading saw it last: one that a worker names twice counts once. */
  private readonly lastReading: number[] = []
  private readonly current: number[] = []
  private reading = 0
  count = 0

  /** Makes these the current abilities and answers a number that does not depend on their order. */
  read(abilities: readonly string[]): number {
    this.reading += 1
    this.count = 0
    let print = 0
    for (const ability of abilities) {
      const number = this.numberOf(ability)
      if (this.lastReading[number] === this.reading) continue
      this.lastReading[number] = this.reading
      this.current[this.count++] = number
      print = (print + Math.imul(number + 1, 0x9e3779b1)) | 0
    }
    return print
  }

  /** Whether the current abilities are exactly those of the pool. */
  areOf(position: number, { abilityCount }: GrowingPool): boolean {
    if (this.count !== abilityCount) return false
    for (let index = 0; index < this.count; index++) {
      if (!this.pools[this.current[index]!]!.includes(position)) return false
    }
    return true
  }

  /** The pool has the current abilities. */
  enter(position: number): void {
    for (let index = 0; index < this.count; index++) this.pools[this.current[index]!]!.push(position)
  }

  poolsWith(ability: string): readonly number[] {
    const number = this.numbers.get(ability)
    return number === undefined ? [] : this.pools[number]!
  }

  private numberOf(ability: string): number {
    const known = this.numbers.get(ability)
    if (known !== undefined) return known
    const number = this.pools.push([]) - 1
    this.numbers.set(ability, number)
    this.lastReading.push(0)
    return number
  }
}
