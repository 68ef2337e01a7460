// How long the last jobs of each extension waited and ran, as this replica saw them end. For estimates and figures on
// screens; nothing is decided by it.

import type { Job, Submission } from '@millrace/domain'

export interface TimeFigures {
  readonly waitMsP50: number | null
  readonly waitMsP95: number | null
  readonly runMsP50: number | null
  readonly runMsP95: number | null
}

export interface CountedFigures extends TimeFigures {
  /** How many jobs they are taken from. */
  readonly count: number
}

type Which = Pick<Submission, 'room' | 'scope' | 'category' | 'extension'>

interface Times {
  readonly waits: number[]
  readonly runs: number[]
  next: number
  /** Its turn among all ends that were heard of. */
  lastEnd: number
  /** Taken when so many had ended; sorting is not for every question. */
  figures: { readonly at: number; readonly figures: CountedFigures } | null
}

/** Enough for a steady 95th percentile; older jobs say little about the next. */
const remembered = 200
const extensionsAtMost = 5_000

export class RunTimes {
  readonly #times = new Map<string, Times>()
  #last: { readonly which: Which; readonly times: Times } | null = null
  #ends = 0

  ended({ submission, waitMs, runMs, status }: Job): void {
    if (status === 'cancelled' || waitMs === undefined || runMs === undefined) return
    const times = this.#of(submission)
    const at = times.next % remembered
    times.waits[at] = waitMs
    times.runs[at] = runMs
    times.next += 1
    times.lastEnd = ++this.#ends
  }

  /** With what other replicas saw end. */
  figures(which: Which, elsewhere: readonly CountedFigures[] = []): TimeFigures {
    const times = this.#times.get(nameOf(which))
    const all = times ? [figuresOf(times), ...elsewhere] : elsewhere
    return {
      waitMsP50: mean(all, 'waitMsP50'),
      waitMsP95: mean(all, 'waitMsP95'),
      runMsP50: mean(all, 'runMsP50'),
      runMsP95: mean(all, 'runMsP95'),
    }
  }

  /** Of the extensions whose jobs ended last, under the names that `nameOf` gives. */
  latest(atMost: number): readonly (readonly [string, CountedFigures])[] {
    return [...this.#times]
      .toSorted(([, a], [, b]) => b.lastEnd - a.lastEnd)
      .slice(0, atMost)
      .map(([name, times]) => [name, figuresOf(times)])
  }

  // Jobs that end together are mostly of one extension; naming it for each cost more than the rest.
  #of(which: Which): Times {
    if (this.#last && isSame(this.#last.which, which)) return this.#last.times
    const times = this.#named(nameOf(which))
    const { room, scope, category, extension } = which
    this.#last = { which: { room, scope, category, extension }, times }
    return times
  }

  #named(name: string): Times {
    const known = this.#times.get(name)
    if (known) return known
    if (this.#times.size >= extensionsAtMost) this.#times.clear()
    const fresh: Times = { waits: [], runs: [], next: 0, lastEnd: 0, figures: null }
    this.#times.set(name, fresh)
    return fresh
  }
}

function isSame(a: Which, b: Which): boolean {
  return a.extension === b.extension && a.room === b.room && a.category === b.category && a.scope === b.scope
}

export function nameOf({ room, scope, category, extension }: Which): string {
  return `${room} ${scope}/${category}/${extension}`
}

function figuresOf(times: Times): CountedFigures {
  if (times.figures?.at === times.next) return times.figures.figures
  const { waits, runs } = times
  const figures = {
    count: runs.length,
    waitMsP50: quantile(waits, 0.5),
    waitMsP95: quantile(waits, 0.95),
    runMsP50: quantile(runs, 0.5),
    runMsP95: quantile(runs, 0.95),
  }
  times.figures = { at: times.next, figures }
  return figures
}

/** Of replicas each counts by what it saw. Not the quantile of all, but the same whoever asks. */
function mean(all: readonly CountedFigures[], which: keyof TimeFigures): number | null {
  const known = all.flatMap(({ count, [which]: value }) => (value === null ? [] : [{ count, value }]))
  if (known.length === 0) return null
  const total = known.reduce((sum, { count }) => sum + count, 0)
  return Math.round(known.reduce((sum, { count, value }) => sum + count * value, 0) / total)
}

function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null
}
