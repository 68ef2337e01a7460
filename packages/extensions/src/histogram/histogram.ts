// How numbers are spread: counted in bins of equal width, with what describes them in short.

export interface Histogram {
  readonly count: number
  readonly mean: number
  readonly standardDeviation: number
  readonly least: number
  readonly greatest: number
  readonly binWidth: number
  /** The middle of each bin. */
  readonly middles: readonly number[]
  readonly counts: readonly number[]
}

const maxBins = 200

/** Of at least one number. With 0 bins their width follows from the data, by Freedman and Diaconis. */
export function histogramOf(numbers: Float64Array, bins: number): Histogram {
  const sorted = numbers.toSorted()
  const [least, greatest] = [sorted[0] ?? 0, sorted.at(-1) ?? 0]
  const number = bins > 0 ? bins : naturalBins(sorted)
  // Equal numbers have no width; one bin around them shows them.
  const width = greatest > least ? (greatest - least) / number : 1
  const from = greatest > least ? least : least - width / 2
  const counts = new Array<number>(greatest > least ? number : 1).fill(0)
  for (const each of sorted) {
    const bin = Math.min(counts.length - 1, Math.floor((each - from) / width))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  const squares = sorted.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return {
    count: sorted.length,
    mean,
    standardDeviation: sorted.length > 1 ? Math.sqrt(squares / (sorted.length - 1)) : 0,
    least,
    greatest,
    binWidth: width,
    middles: counts.map((_, bin) => from + (bin + 0.5) * width),
    counts,
  }
}

function naturalBins(sorted: Float64Array): number {
  const spread = quantile(sorted, 0.75) - quantile(sorted, 0.25)
  const width = (2 * spread) / Math.cbrt(sorted.length)
  const range = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  return width > 0 ? Math.min(maxBins, Math.max(1, Math.ceil(range / width))) : 1
}

function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return below + (above - below) * (place - Math.floor(place))
}
