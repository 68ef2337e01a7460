// How long things took, as counts by size: enough for a median within an eighth of the truth, small enough to keep for
// every room and every ten seconds, and, unlike quantiles, such that two can be added up.

/** Each bound is a quarter above the one before. */
const growth = Math.log(1.25)
const largest = 96

export class Durations {
  readonly #counts: Map<number, number>

  constructor(counts: Iterable<readonly [number, number]> = []) {
    this.#counts = new Map(counts)
  }

  add(ms: number): void {
    const size = ms < 1 ? 0 : Math.min(largest, 1 + Math.floor(Math.log(ms) / growth))
    this.#counts.set(size, (this.#counts.get(size) ?? 0) + 1)
  }

  addAll(others: Durations): void {
    for (const [size, count] of others.#counts) this.#counts.set(size, (this.#counts.get(size) ?? 0) + count)
  }

  /** Null while nothing was measured. */
  quantile(share: number): number | null {
    let total = 0
    for (const count of this.#counts.values()) total += count
    if (total === 0) return null
    let before = 0
    for (const [size, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      before += count
      if (before > share * total) return middleOf(size)
    }
    return middleOf(Math.max(...this.#counts.keys()))
  }

  entries(): readonly (readonly [number, number])[] {
    return [...this.#counts]
  }
}

function middleOf(size: number): number {
  return size === 0 ? 0 : Math.round(Math.exp((size - 0.5) * growth))
}
