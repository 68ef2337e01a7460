import type { SeriesPoint } from '@millrace/protocol'
import { describe, expect, it } from 'vitest'
import { beginsAt, mergeSeries, perMinute, type Series, sinceOf, utilisation } from './series-points.ts'

const point = (at: number, change: Partial<SeriesPoint> = {}): SeriesPoint => ({
  at,
  completed: 0,
  failed: 0,
  cancelled: 0,
  waitMsP50: null,
  waitMsP95: null,
  runMsP50: null,
  runMsP95: null,
  pending: null,
  running: null,
  slots: null,
  busySlots: null,
  ...change,
})

const series = (points: readonly SeriesPoint[], countedSince = 1): Series => ({
  stepMs: 10_000,
  countedSince,
  points,
})

describe('a series', () => {
  it('[U66] takes what is told later in place of what was still being counted', () => {
    const before = series([point(0), point(10_000), point(20_000, { completed: 1 })])
    expect(sinceOf(before)).toBe(10_000)
    const told = series([point(10_000), point(20_000, { completed: 4 }), point(30_000)])
    const { points } = mergeSeries(before, told)
    expect(points.map(({ at, completed }) => [at, completed])).toEqual([
      [0, 0],
      [10_000, 0],
      [20_000, 4],
      [30_000, 0],
    ])
  })

  it('[U66] begins anew with a server that counts anew', () => {
    const told = series([point(50_000)], 50_000)
    expect(mergeSeries(series([point(0), point(10_000)]), told)).toBe(told)
  })

  it('[U66] says when its figures begin, unless they fill the time that is looked at', () => {
    expect(beginsAt(series([point(0), point(10_000)]), 60_000)).toBe(0)
    expect(beginsAt(series([point(0)]), 3_600_000)).toBeNull()
    expect(beginsAt(series([]), 60_000)).toBeNull()
  })

  it('[U66] keeps an hour of ten seconds, however long it is looked at', () => {
    const before = series(Array.from({ length: 360 }, (_, step) => point(step * 10_000)))
    const { points } = mergeSeries(before, series([point(3_600_000), point(3_610_000)]))
    expect(points).toHaveLength(360)
    expect(points.at(-1)?.at).toBe(3_610_000)
  })

  it('[U66] is told by the minute and in per cent, and not at all where nobody looked', () => {
    const told = series([
      point(0, { completed: 2, slots: 8, busySlots: 2 }),
      point(10_000, { slots: 0, busySlots: 0 }),
    ])
    expect(perMinute(told, 'completed')).toEqual([12, 0])
    expect(utilisation(told)).toEqual([25, null])
  })
})
