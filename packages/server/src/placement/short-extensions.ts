// Which extensions are short, by how long their last runs took as this replica saw them end, over all rooms; and the slots
// that pools keep for them. A replica that has just started knows only what policies promise.

import { isShort, type Job, keepForShort, type WorkerSupply } from '@millrace/domain'
import type { Roster } from '../worker/roster.ts'
import { extensionOf, type PlacementClass } from './class-book.ts'

export interface ShortSettings {
  /** Of the slots of each pool. */
  readonly share: number
  readonly boundMs: number
}

/** The last runs in a ring, and how many of them were below the bound: a snapshot must not have to sort them. */
interface Runs {
  readonly wasBelow: boolean[]
  below: number
  next: number
  /** Its turn among all ends that were heard of. */
  lastEnd: number
}

/** Of the last runs of an extension, how many there are and how many were below the bound. */
export interface MeasuredRuns {
  readonly measured: number
  readonly below: number
}

/** Enough for 95 in 100 to mean something; older runs say little about the next. */
const remembered = 200
const extensionsAtMost = 5_000

export class ShortExtensions {
  readonly #settings: ShortSettings
  readonly #runs = new Map<string, Runs>()
  #ends = 0

  constructor(settings: ShortSettings) {
    this.#settings = settings
  }

  /** A run that was cancelled says nothing about how long it would have taken. */
  ended({ submission, runMs, status }: Job): void {
    if (status === 'cancelled' || runMs === undefined) return
    const runs = this.#of(extensionOf(submission))
    const at = runs.next % remembered
    const isBelow = runMs < this.#settings.boundMs
    runs.below += Number(isBelow) - Number(runs.wasBelow[at] === true)
    runs.wasBelow[at] = isBelow
    runs.next += 1
    runs.lastEnd = ++this.#ends
  }

  /** With what other replicas measured, where the answer must not depend on who is asked. */
  isShort(
    { extension, promisedShort: promised, runLimitMs }: PlacementClass,
    elsewhere: readonly MeasuredRuns[] = [],
  ): boolean {
    let { below, measured } = measuredOf(this.#runs.get(extension) ?? noRuns)
    for (const its of elsewhere) {
      below += its.below
      measured += its.measured
    }
    return isShort({ measured, below, promised, runLimitMs }, this.#settings.boundMs)
  }

  /** Of the extensions whose jobs ended last. */
  latest(atMost: number): readonly (readonly [string, MeasuredRuns])[] {
    return [...this.#runs]
      .toSorted(([, a], [, b]) => b.lastEnd - a.lastEnd)
      .slice(0, atMost)
      .map(([extension, runs]) => [extension, measuredOf(runs)])
  }

  /** Only pools keep slots: whoever runs a worker of their own decides what it is for. */
  supplies(roster: Roster, now: number): readonly WorkerSupply[] {
    const { share } = this.#settings
    const supplies = roster.supplies(now)
    if (share === 0) return supplies
    return supplies.map((supply) => {
      const stationed = roster.get(supply.id)
      if (stationed?.record.worker.kind !== 'pool') return supply
      const { heldByLong } = stationed
      const use = { total: supply.total.slots, free: supply.free.slots, heldByLong }
      return { ...supply, keptForShort: keepForShort(use, share) }
    })
  }

  #of(extension: string): Runs {
    const known = this.#runs.get(extension)
    if (known) return known
    if (this.#runs.size >= extensionsAtMost) this.#runs.clear()
    const fresh: Runs = { wasBelow: [], below: 0, next: 0, lastEnd: 0 }
    this.#runs.set(extension, fresh)
    return fresh
  }
}

const noRuns: Runs = { wasBelow: [], below: 0, next: 0, lastEnd: 0 }

function measuredOf({ wasBelow, below }: Runs): MeasuredRuns {
  return { measured: wasBelow.length, below }
}
