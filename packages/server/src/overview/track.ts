// Figures by interval, in steps of one length, as many as are kept. What is told of single rooms is bounded over the
// whole track: where there are too many, the oldest intervals keep their sums only.

import { Figures } from './figures.ts'

export interface Interval {
  readonly at: number
  /** Over all rooms. */
  readonly total: Figures
  readonly rooms: Map<string, Figures>
  /** Null before the first look. */
  slots: number | null
  busySlots: number | null
}

/** At a few hundred bytes each some 10 MB. */
const roomFiguresAtMost = 20_000

export class Track {
  readonly stepMs: number
  readonly #kept: number
  readonly #intervals: Interval[] = []
  #roomFigures = 0

  constructor(stepMs: number, kept: number) {
    this.stepMs = stepMs
    this.#kept = kept
  }

  /** Oldest first. */
  all(): readonly Interval[] {
    return this.#intervals
  }

  /** The interval of an instant, which is the last one or a later one. */
  at(now: number): Interval {
    const at = Math.floor(now / this.stepMs) * this.stepMs
    const last = this.#intervals.at(-1)
    if (last && last.at >= at) return last
    const interval = { at, total: new Figures(), rooms: new Map(), slots: null, busySlots: null }
    this.#intervals.push(interval)
    this.#drop(at - this.#kept * this.stepMs)
    return interval
  }

  roomOf({ rooms }: Interval, room: string): Figures {
    const known = rooms.get(room)
    if (known) return known
    const fresh = new Figures()
    rooms.set(room, fresh)
    this.#roomFigures += 1
    this.#makeRoom()
    return fresh
  }

  #drop(upTo: number): void {
    while ((this.#intervals[0]?.at ?? Number.POSITIVE_INFINITY) <= upTo)
      this.#roomFigures -= this.#intervals.shift()?.rooms.size ?? 0
  }

  #makeRoom(): void {
    const last = this.#intervals.at(-1)
    for (const interval of this.#intervals) {
      if (this.#roomFigures <= roomFiguresAtMost || interval === last) return
      this.#roomFigures -= interval.rooms.size
      interval.rooms.clear()
    }
  }
}
