// Which extensions are short, and which even quick, by how long their last runs took as this replica saw them end, over
// all rooms; and the slots that pools keep for short ones. A replica that has just started knows only what policies promise.

import {
  isQuick,
  isShort,
  type Job,
  keepForShort,
  type ResourceNeed,
  type RoomName,
  type WorkerSupply,
} from '@millrace/domain'
import type { Hold, Roster } from '../worker/roster.ts'
import { extensionOf, type PlacementClass } from './class-book.ts'

export interface ShortSettings {
  /** Of the slots of each pool. */
  readonly share: number
  readonly boundMs: number
}

type Length = 'long' | 'short' | 'quick' | 'instant'

/** The last runs in a ring, and how many of them were below each bound: a snapshot must not have to sort them. */
interface Runs {
  readonly lengths: Length[]
  short: number
  /** Those that were instant among them. */
  quick: number
  instant: number
  next: number
  /** Its turn among all ends that were heard of. */
  lastEnd: number
}

/** Of the last runs of an extension, how many there are and how many were below the bound. */
export interface MeasuredRuns {
  readonly measured: number
  readonly below: number
}

/** About what a report, a claim and a push take together on a machine that has other things to do. */
const quickMs = 10
/** Thirty of them in line for each slot are over in the time of six quick ones. */
const instantMs = 2

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
    const before = runs.lengths[at]
    const length = this.#lengthOf(runMs)
    runs.short += Number(isShortRun(length)) - Number(isShortRun(before))
    runs.quick += Number(isQuickRun(length)) - Number(isQuickRun(before))
    runs.instant += Number(length === 'instant') - Number(before === 'instant')
    runs.lengths[at] = length
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

  /** What takes more than a slot is counted in more than slots, and is handed over when all of it is free. */
  isQuick({ extension, needs }: PlacementClass): boolean {
    const { quick, lengths } = this.#runs.get(extension) ?? noRuns
    return takesOnlyASlot(needs) && isQuick(lengths.length, quick)
  }

  isInstant({ extension }: PlacementClass): boolean {
    const { instant, lengths } = this.#runs.get(extension) ?? noRuns
    return isQuick(lengths.length, instant)
  }

  holdOf(wanted: PlacementClass): Hold {
    return {
      room: wanted.room as RoomName,
      need: wanted.needs,
      short: this.isShort(wanted),
      quick: this.isQuick(wanted),
    }
  }

  #lengthOf(runMs: number): Length {
    if (runMs < instantMs) return 'instant'
    if (runMs < quickMs) return 'quick'
    return runMs < this.#settings.boundMs ? 'short' : 'long'
  }

  /** Of a pool with so many slots, all of them free. */
  keptOfIdle(slots: number): number {
    return keepForShort({ total: slots, free: slots, heldByLong: 0 }, this.#settings.share)
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
    const fresh: Runs = { lengths: [], short: 0, quick: 0, instant: 0, next: 0, lastEnd: 0 }
    this.#runs.set(extension, fresh)
    return fresh
  }
}

const noRuns: Runs = { lengths: [], short: 0, quick: 0, instant: 0, next: 0, lastEnd: 0 }

function measuredOf({ lengths, short: below }: Runs): MeasuredRuns {
  return { measured: lengths.length, below }
}

function isShortRun(length: Length | undefined): boolean {
  return length === 'short' || isQuickRun(length)
}

function isQuickRun(length: Length | undefined): boolean {
  return length === 'quick' || length === 'instant'
}

function takesOnlyASlot({ slots, cpu, memoryMb, gpu, labels }: ResourceNeed): boolean {
  return slots === 1 && cpu === 0 && memoryMb === 0 && gpu === 0 && labels.length === 0
}
