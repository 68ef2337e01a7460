// Ten minutes of the series as the store keeps them, one record for each replica and each of its lives. Ends add up when
// they are read back; of the rooms only the busiest are kept one by one.

import type { Put, StoredRecord } from '../ports/store.ts'
import { Durations } from './durations.ts'
import { Figures } from './figures.ts'
import type { Interval } from './track.ts'

export const seriesList = 'series'

const roomsKept = 500
/** A day more than is shown. */
const keptMs = 8 * 24 * 3_600_000

type Counts = readonly (readonly [number, number])[]
type FiguresText = readonly [
  completed: number,
  failed: number,
  cancelled: number,
  pending: number,
  running: number,
  waits: Counts,
  runs: Counts,
]
interface SeriesText {
  readonly at: number
  readonly slots: number | null
  readonly busySlots: number | null
  readonly total: FiguresText
  readonly rooms: readonly (readonly [string, FiguresText])[]
}

/** Keys sort by time. */
export function putSeries({ at, slots, busySlots, total, rooms }: Interval, replica: string): Put {
  const busiest = [...rooms]
    .sort(([, a], [, b]) => endsOf(b) - endsOf(a))
    .slice(0, roomsKept)
    .map(([room, figures]) => [room, textOf(figures)] as const)
  const text: SeriesText = { at, slots, busySlots, total: textOf(total), rooms: busiest }
  return {
    key: `series/${String(at).padStart(16, '0')}/${replica}`,
    head: JSON.stringify(text),
    lists: [seriesList],
    dueAt: at + keptMs,
  }
}

export function seriesOfRecord({ head }: StoredRecord): Interval {
  const { at, slots, busySlots, total, rooms } = JSON.parse(head) as SeriesText
  return {
    at,
    slots,
    busySlots,
    total: figuresOf(total),
    rooms: new Map(rooms.map(([room, text]) => [room, figuresOf(text)])),
  }
}

function endsOf({ completed, failed, cancelled }: Figures): number {
  return completed + failed + cancelled
}

function textOf({ completed, failed, cancelled, pending, running, waits, runs }: Figures): FiguresText {
  return [completed, failed, cancelled, pending, running, waits.entries(), runs.entries()]
}

function figuresOf([completed, failed, cancelled, pending, running, waits, runs]: FiguresText): Figures {
  const figures = new Figures()
  Object.assign(figures, { completed, failed, cancelled, pending, running })
  figures.waits.addAll(new Durations(waits))
  figures.runs.addAll(new Durations(runs))
  return figures
}
