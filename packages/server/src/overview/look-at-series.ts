// The series as somebody may see it: summed over the rooms that are theirs to see, or over all for an admin, who alone is
// told of slots, because those are shared by rooms that others must not know of.

import { type Caller, mayRead } from '@millrace/domain'
import type { Rooms } from '../room/rooms.ts'
import { Figures } from './figures.ts'
import type { Series, Span } from './series.ts'
import type { Interval } from './track.ts'

export interface SeriesParts {
  readonly rooms: Rooms
  readonly series: Series
}

export interface SeriesQuery {
  readonly span: Span
  /** One that the caller may read; null: all of those. */
  readonly room: string | null
  readonly since?: number
}

export interface TimeQuantiles {
  readonly waitMsP50: number | null
  readonly waitMsP95: number | null
  readonly runMsP50: number | null
  readonly runMsP95: number | null
}

export interface SeenPoint extends TimeQuantiles {
  readonly at: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly pending: number | null
  readonly running: number | null
  readonly slots: number | null
  readonly busySlots: number | null
}

export async function lookAtSeries(
  parts: SeriesParts,
  who: Caller,
  query: SeriesQuery,
): Promise<SeenPoint[]> {
  const { span, room, since = 0 } = query
  const intervals = parts.series.intervals(span).filter(({ at }) => at >= since)
  const isWhole = room === null && who.role === 'admin'
  const sees = room === null ? await roomsSeen(parts, who, intervals) : new Set([room])
  return intervals.map((interval) => {
    const figures = isWhole ? wholeOf(interval) : sumOf(interval, sees)
    return pointOf(interval, figures, isWhole)
  })
}

/** Of the rooms that these intervals name, those that the caller may read. */
export async function roomsSeen(
  { rooms }: Pick<SeriesParts, 'rooms'>,
  who: Caller,
  intervals: readonly Pick<Interval, 'rooms'>[],
): Promise<ReadonlySet<string>> {
  const named = new Set(intervals.flatMap((interval) => [...interval.rooms.keys()]))
  const seen = new Set<string>()
  for (const name of named) {
    const known = await rooms.get(name)
    if (known && mayRead(known.value, who)) seen.add(name)
  }
  return seen
}

export function quantilesOf({ waits, runs }: Figures): TimeQuantiles {
  return {
    waitMsP50: waits.quantile(0.5),
    waitMsP95: waits.quantile(0.95),
    runMsP50: runs.quantile(0.5),
    runMsP95: runs.quantile(0.95),
  }
}

export function sumOf({ rooms }: Interval, sees: ReadonlySet<string>): Figures {
  const sum = new Figures()
  for (const [room, figures] of rooms) if (sees.has(room)) sum.addRoom(figures)
  return sum
}

/** The sum is made when an interval is over; of the one that is not, its rooms are all there. */
function wholeOf(interval: Interval): Figures {
  const { total, rooms } = interval
  const isSummed = total.completed + total.failed + total.cancelled + total.pending + total.running > 0
  return isSummed ? total : sumOf(interval, new Set(rooms.keys()))
}

function pointOf({ at, slots, busySlots }: Interval, figures: Figures, isWhole: boolean): SeenPoint {
  const { completed, failed, cancelled, pending, running } = figures
  const isLooked = slots !== null
  return {
    at,
    completed,
    failed,
    cancelled,
    ...quantilesOf(figures),
    pending: isLooked ? pending : null,
    running: isLooked ? running : null,
    slots: isWhole ? slots : null,
    busySlots: isWhole ? busySlots : null,
  }
}
