import type { Job } from '@millrace/domain'
import { describe, expect, it } from 'vitest'
import { Durations } from './durations.ts'
import { Series } from './series.ts'
import { Track } from './track.ts'

function ended(room: string, status: Job['status'], waitMs = 5, runMs = 50): Job {
  return { submission: { room }, status, waitMs, runMs } as unknown as Job
}

const idle = { pending: new Map(), running: new Map(), slots: 8, busySlots: 0 }
const hour = 3_600_000

describe('Durations', () => {
  it('[G9] a quantile is within an eighth of the truth, and those of two are added up', () => {
    const [one, other] = [new Durations(), new Durations()]
    for (let ms = 1; ms <= 1_000; ms++) (ms % 2 ? one : other).add(ms)
    one.addAll(other)
    for (const share of [0.05, 0.5, 0.95]) {
      const truth = share * 1_000
      expect(Math.abs((one.quantile(share) ?? 0) - truth) / truth).toBeLessThan(0.125)
    }
    expect(new Durations().quantile(0.5)).toBeNull()
    expect(new Durations(one.entries()).quantile(0.5)).toBe(one.quantile(0.5))
  })

  it('[G9] nothing is too short or too long to be counted', () => {
    const durations = new Durations()
    for (const ms of [0, 0.2, 1e15]) durations.add(ms)
    expect(durations.quantile(0)).toBe(0)
    expect(durations.quantile(1)).toBeGreaterThan(1e9)
  })
})

describe('Series', () => {
  it('[G9] an hour is kept in steps of ten seconds and a week in steps of ten minutes, and no more', () => {
    const series = new Series(0)
    for (let now = 0; now <= 8 * 24 * hour; now += 10_000) series.look(now, idle)
    const [fine, coarse] = [series.intervals('hour'), series.intervals('week')]
    expect(fine).toHaveLength(360)
    expect(coarse).toHaveLength(1_008)
    expect(fine[1]!.at - fine[0]!.at).toBe(10_000)
    expect(coarse[1]!.at - coarse[0]!.at).toBe(600_000)
  })

  it('[G9] ten minutes hold the sum of what ended in their steps, and what waited at the last look', () => {
    const series = new Series(0)
    for (let step = 0; step < 60; step++) {
      const now = step * 10_000
      series.ended(ended('lab', 'completed'), now)
      series.ended(ended(step % 2 ? 'lab' : 'attic', 'failed'), now)
      series.look(now, { ...idle, pending: new Map([['lab', step]]) })
    }
    series.look(600_000, idle)
    const [whole] = series.intervals('week')
    expect(whole).toMatchObject({ at: 0, slots: 8 })
    expect(whole?.total).toMatchObject({ completed: 60, failed: 60, pending: 59 })
    expect(whole?.rooms.get('lab')).toMatchObject({ completed: 60, failed: 30, pending: 59 })
    expect(whole?.rooms.get('attic')).toMatchObject({ completed: 0, failed: 30, pending: 0 })
  })

  it('[G9] a cancelled job counts, and says nothing about waits and runs', () => {
    const series = new Series(0)
    series.ended(ended('lab', 'cancelled'), 0)
    const figures = series.intervals('hour')[0]?.rooms.get('lab')
    expect(figures?.cancelled).toBe(1)
    expect(figures?.waits.quantile(0.5)).toBeNull()
  })

  it('[G9] what is kept of single rooms is bounded, the oldest goes first, and sums stay', () => {
    const track = new Track(10_000, 360)
    for (let step = 0; step < 30; step++) {
      const interval = track.at(step * 10_000)
      for (let room = 0; room < 1_000; room++) track.roomOf(interval, `room-${room}`)
      interval.total.completed = 1
    }
    const kept = track.all().reduce((sum, { rooms }) => sum + rooms.size, 0)
    expect(kept).toBeLessThanOrEqual(20_000)
    expect(track.all().at(-1)?.rooms.size).toBe(1_000)
    expect(track.all()[0]).toMatchObject({ rooms: new Map(), total: { completed: 1 } })
  })
})
