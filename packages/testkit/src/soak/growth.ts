// Whether a figure that was looked at again and again grows without end. Garbage makes memory a saw: what counts is its
// lower edge, so the time after the warm-up is cut into stretches, the lowest of each is taken, and a line laid through
// them.

export interface Reading {
  /** Since the load began. */
  readonly atMs: number
  readonly value: number
}

export interface Bound {
  /** What was there before this is settling: caches that fill, records that are not yet old enough to go. */
  readonly warmUpMs: number
  /** Of the first lower edge; a growth below it is none. */
  readonly share: number
  /** In the unit of the figure; a growth below it is none. */
  readonly atLeast: number
}

export interface Growth {
  readonly first: number
  readonly last: number
  /** What the line rises by from the end of the warm-up to the last reading. */
  readonly grown: number
  readonly allowed: number
  readonly perHour: number
  /** `short`: there was too little time after the warm-up to say anything. */
  readonly verdict: 'flat' | 'grows' | 'short'
}

const stretches = 5
/** Of readings in each stretch; one alone may be the top of a tooth. */
const fewest = 2

/** Whether there is enough after the warm-up to say anything. */
export function isEnough(readings: readonly Reading[], { warmUpMs }: Pick<Bound, 'warmUpMs'>): boolean {
  return readings.filter(({ atMs }) => atMs >= warmUpMs).length >= stretches * fewest
}

export function growthOf(readings: readonly Reading[], { warmUpMs, share, atLeast }: Bound): Growth {
  const settled = readings.filter(({ atMs }) => atMs >= warmUpMs)
  const first = settled[0] ?? readings.at(-1) ?? { atMs: 0, value: 0 }
  const last = settled.at(-1) ?? first
  const known = { first: first.value, last: last.value }
  if (!isEnough(readings, { warmUpMs })) {
    return { ...known, grown: 0, allowed: 0, perHour: 0, verdict: 'short' }
  }
  const edge = lowerEdge(settled, first.atMs, last.atMs)
  const slope = slopeOf(edge)
  const grown = slope * (last.atMs - first.atMs)
  const allowed = Math.max(atLeast, share * (edge[0]?.value ?? 0))
  const verdict = grown > allowed ? 'grows' : 'flat'
  return { ...known, grown, allowed, perHour: slope * 3_600_000, verdict }
}

function lowerEdge(readings: readonly Reading[], from: number, until: number): readonly Reading[] {
  const length = (until - from) / stretches
  return Array.from({ length: stretches }, (_, n) => {
    const isLast = n === stretches - 1
    const within = readings.filter(
      ({ atMs }) => atMs >= from + n * length && (isLast || atMs < from + (n + 1) * length),
    )
    return within.toSorted((a, b) => a.value - b.value)[0]
  }).filter((reading) => reading !== undefined)
}

/** By least squares, in units of the figure per ms. */
function slopeOf(readings: readonly Reading[]): number {
  const mean = (of: (reading: Reading) => number): number =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length
  const [at, value] = [mean(({ atMs }) => atMs), mean((reading) => reading.value)]
  const together = mean((reading) => (reading.atMs - at) * (reading.value - value))
  const spread = mean((reading) => (reading.atMs - at) ** 2)
  return spread === 0 ? 0 : together / spread
}
