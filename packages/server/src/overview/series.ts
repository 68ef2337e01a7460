// How it went over time, as this replica saw it: an hour in steps of ten seconds, a week in steps of ten minutes. A job
// that ends is counted once, in the open step; what is coarser is added up when a step is over.

import type { Job } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Figures } from './figures.ts'
import { type Interval, Track } from './track.ts'

const second = 1_000
const minute = 60 * second

/** What waits and runs now. */
export interface Look {
  readonly pending: ReadonlyMap<string, number>
  readonly running: ReadonlyMap<string, number>
  readonly slots: number
  readonly busySlots: number
}

export type Span = 'hour' | 'week'

/** Often enough for every step to have one. */
const lookEveryMs = 2 * second

export class Series {
  /** Of this life; another one writes other records. */
  readonly replica: string
  countedSince: number
  readonly #tracks: Readonly<Record<Span, Track>> = {
    hour: new Track(10 * second, 360),
    week: new Track(10 * minute, 1_008),
  }
  /** Not yet added to what is coarser. */
  #open: Interval | null = null
  /** What is written: the week without what was recalled, or every restart would count that again. */
  readonly #own: Track = new Track(10 * minute, 2)
  #openOwn: Interval | null = null
  #over: Interval[] = []
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(now: number) {
    this.replica = newId(now)
    this.countedSince = now
  }

  /** What this replica or another counted before, oldest first and before anything is counted here. */
  recall({ at, total, rooms, slots, busySlots }: Interval): void {
    const { week } = this.#tracks
    const interval = week.at(at)
    recallInto(interval.total, total)
    for (const [room, figures] of rooms) recallInto(week.roomOf(interval, room), figures)
    if (slots !== null) interval.slots = (interval.slots ?? 0) + slots
    if (busySlots !== null) interval.busySlots = (interval.busySlots ?? 0) + busySlots
    this.countedSince = Math.min(this.countedSince, at)
  }

  /** Ten minutes that are over, each told once. */
  takeOver(): readonly Interval[] {
    const over = this.#over
    this.#over = []
    return over
  }

  /** Ends whatever is open, for a process that ends. */
  close(): void {
    if (this.#open) this.#close(this.#open)
    this.#open = null
    if (this.#openOwn) this.#over.push(this.#openOwn)
    this.#openOwn = null
  }

  ended(job: Job, now: number): void {
    const { hour } = this.#tracks
    hour.roomOf(this.#step(now), job.submission.room).ended(job)
  }

  wantsLook(now: number): boolean {
    return now - this.#lookedAt >= lookEveryMs || now < this.#lookedAt
  }

  look(now: number, { pending, running, slots, busySlots }: Look): void {
    this.#lookedAt = now
    const step = this.#step(now)
    const { hour } = this.#tracks
    for (const figures of step.rooms.values()) Object.assign(figures, { pending: 0, running: 0 })
    for (const [room, count] of pending) hour.roomOf(step, room).pending = count
    for (const [room, count] of running) hour.roomOf(step, room).running = count
    Object.assign(step, { slots, busySlots })
  }

  stepMs(span: Span): number {
    return this.#tracks[span].stepMs
  }

  /** Oldest first; the last is not over yet, and of the week it may lack ten seconds. */
  intervals(span: Span): readonly Interval[] {
    return this.#tracks[span].all()
  }

  #step(now: number): Interval {
    const step = this.#tracks.hour.at(now)
    if (this.#open && this.#open !== step) this.#close(this.#open)
    this.#open = step
    return step
  }

  #close(step: Interval): void {
    for (const figures of step.rooms.values()) step.total.addRoom(figures)
    addStep(this.#tracks.week, step)
    const own = addStep(this.#own, step)
    if (this.#openOwn && this.#openOwn !== own) this.#over.push(this.#openOwn)
    this.#openOwn = own
  }
}

function addStep(track: Track, step: Interval): Interval {
  const coarse = track.at(step.at)
  const isLooked = step.slots !== null
  if (isLooked)
    for (const figures of coarse.rooms.values()) Object.assign(figures, { pending: 0, running: 0 })
  for (const [room, figures] of step.rooms) {
    const sum = track.roomOf(coarse, room)
    sum.addEnds(figures)
    if (isLooked) takeLevels(sum, figures)
  }
  coarse.total.addEnds(step.total)
  if (isLooked) {
    takeLevels(coarse.total, step.total)
    Object.assign(coarse, { slots: step.slots, busySlots: step.busySlots })
  }
  return coarse
}

/** Every replica sees all that waits, and only what runs at its own workers. */
function recallInto(figures: Figures, before: Figures): void {
  figures.addEnds(before)
  figures.pending = Math.max(figures.pending, before.pending)
  figures.running += before.running
}

function takeLevels(to: Figures, { pending, running }: Figures): void {
  to.pending = pending
  to.running = running
}
