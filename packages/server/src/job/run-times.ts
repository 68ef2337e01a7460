// How long the last jobs of each extension waited and ran, as this replica saw them end. For estimates and figures on
// screens; nothing is decided by it.

import type { Job, Submission } from '@millrace/domain'

export interface TimeFigures {
  readonly waitMsP50: number | null
  readonly waitMsP95: number | null
  readonly runMsP50: number | null
  readonly runMsP95: number | null
}

type Which = Pick<Submission, 'room' | 'scope' | 'category' | 'extension'>

interface Times {
  readonly waits: number[]
  readonly runs: number[]
  next: number
}

/** Enough for a steady 95th percentile; older jobs say little about the next. */
const remembered = 200
const extensionsAtMost = 5_000

export class RunTimes {
  readonly #times = new Map<string, Times>()

  ended({ submission, waitMs, runMs, status }: Job): void {
    if (status === 'cancelled' || waitMs === undefined || runMs === undefined) return
    const times = this.#of(submission)
    const at = times.next % remembered
    times.waits[at] = waitMs
    times.runs[at] = runMs
    times.next += 1
  }

  figures(which: Which): TimeFigures {
    const times = this.#times.get(nameOf(which))
    return {
      waitMsP50: quantile(times?.waits, 0.5),
      waitMsP95: quantile(times?.waits, 0.95),
      runMsP50: quantile(times?.runs, 0.5),
      runMsP95: quantile(times?.runs, 0.95),
    }
  }

  #of(which: Which): Times {
    const name = nameOf(which)
    const known = this.#times.get(name)
    if (known) return known
    if (this.#times.size >= extensionsAtMost) this.#times.clear()
    const fresh: Times = { waits: [], runs: [], next: 0 }
    this.#times.set(name, fresh)
    return fresh
  }
}

function nameOf({ room, scope, category, extension }: Which): string {
  return `${room} ${scope}/${category}/${extension}`
}

function quantile(values: readonly number[] | undefined, share: number): number | null {
  if (!values || values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null
}
