// The points of a series: what comes later is put to what is there, and columns are made of them for drawing.

import type { SeriesPoint } from '@millrace/protocol'

export type Span = 'hour' | 'week'

export interface Series {
  readonly stepMs: number
  /** Since when the server has counted. */
  readonly countedSince: number
  readonly points: readonly SeriesPoint[]
}

const spanSteps = { 10000: 360, 600000: 1_008 } as const

/** The last point was still being counted when it was fetched. */
export function sinceOf({ points }: Series): number | undefined {
  return points.at(-2)?.at
}

/** A server that counts anew knows nothing of before: then only what it says now is true. */
export function mergeSeries(before: Series | undefined, told: Series): Series {
  if (!before || before.countedSince !== told.countedSince || before.stepMs !== told.stepMs) return told
  const from = told.points[0]?.at ?? Number.POSITIVE_INFINITY
  const points = [...before.points.filter(({ at }) => at < from), ...told.points]
  const most = spanSteps[told.stepMs as keyof typeof spanSteps] ?? points.length
  return { ...told, points: points.slice(-most) }
}

/** When the figures begin, where that is within the time that is looked at; null where they fill it. */
export function beginsAt({ stepMs, points }: Series, now: number): number | null {
  const first = points[0]?.at
  const steps = spanSteps[stepMs as keyof typeof spanSteps]
  // The oldest step goes a little before its time is over.
  if (first === undefined || steps === undefined || first <= now - (steps - 2) * stepMs) return null
  return first
}

type Column = readonly (number | null)[]

export function perMinute({ stepMs, points }: Series, field: 'completed' | 'failed' | 'cancelled'): Column {
  return points.map((point) => (point[field] * 60_000) / stepMs)
}

type Measure = 'waitMsP50' | 'waitMsP95' | 'runMsP50' | 'runMsP95' | 'pending' | 'running'

export function columnOf({ points }: Series, field: Measure): Column {
  return points.map((point) => point[field])
}

/** Of the slots, in per cent; null where nobody looked, or nobody may know. */
export function utilisation({ points }: Series): Column {
  return points.map(({ slots, busySlots }) => shareOf(busySlots, slots, 100))
}

export function shareOf(part: number | null, whole: number | null, of = 1): number | null {
  return part === null || whole === null || whole === 0 ? null : (part / whole) * of
}

/** uPlot counts in seconds. */
export function timesOf({ points }: Series): readonly number[] {
  return points.map(({ at }) => at / 1_000)
}
