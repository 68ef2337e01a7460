// The figures of now in words, and which of them are not as they should be. Tiles and the sentence above them judge by this.

import type { Overview } from '@millrace/protocol'
import { durationText } from '../primitives/duration.ts'
import { places } from '../shell/places.ts'
import { shareOf } from './series-points.ts'

export interface Figure {
  readonly name: string
  readonly value: string
  readonly note: string
  /** What is wrong with it; null when nothing is. */
  readonly trouble: string | null
  /** Where one sees more of it. */
  readonly to: string
}

/** The server's figures are those of the last ten minutes. */
const recentMinutes = 10
const manyFail = 0.2
/** Fewer failures are an accident. */
const someFailures = 5
const longWaitMs = 60_000
/** As long as the server says that a wait is a slow one. */
const slowMs = 10 * 60_000

export function figuresOf(overview: Overview, now: number): readonly Figure[] {
  const { pending, running, recent, workers } = overview
  const rate = (recent.completed + recent.failed) / recentMinutes
  const failing = shareOf(recent.failed, recent.completed + recent.failed)
  const fails = failing !== null && failing >= manyFail && recent.failed >= someFailures
  return [
    {
      name: 'Throughput',
      value: `${rate.toLocaleString('en', { maximumFractionDigits: rate < 10 ? 1 : 0 })} / min`,
      note: recent.failed === 0 ? 'over ten minutes' : `${recent.failed} failed in ten minutes`,
      trouble: fails ? `${Math.round((failing ?? 0) * 100)} % failed` : null,
      to: `${places.jobs}?status=failed`,
    },
    {
      name: 'Wait, p95',
      value: recent.waitMsP95 === null ? '–' : durationText(recent.waitMsP95),
      note: recent.waitMsP50 === null ? 'nothing ended lately' : `p50 ${durationText(recent.waitMsP50)}`,
      trouble: recent.waitMsP95 !== null && recent.waitMsP95 >= longWaitMs ? 'a minute and more' : null,
      to: places.placement,
    },
    utilisationFigure(overview),
    {
      name: 'Waiting',
      value: pending.toLocaleString('en'),
      note: pending === 0 ? 'nothing waits' : 'jobs that have no slot yet',
      trouble: pending > 0 && workers === 0 ? 'no worker is connected' : null,
      to: places.workers,
    },
    {
      name: 'Running',
      value: running.toLocaleString('en'),
      note: recent.runMsP95 === null ? 'jobs at work' : `run p95 ${durationText(recent.runMsP95)}`,
      trouble: null,
      to: `${places.jobs}?status=running`,
    },
    oldestFigure(overview, now),
  ]
}

/** What needs somebody: what the server names, and where it names nothing, the figures that are not as they should be. */
export function oddFigures({ troubles }: Overview, figures: readonly Figure[]): readonly Figure[] {
  return troubles.length > 0 ? [] : figures.filter(({ trouble }) => trouble !== null)
}

/** It goes on waiting while nobody asks the server. */
function oldestFigure({ at, oldestWaitMs }: Overview, now: number): Figure {
  const ms = oldestWaitMs === null ? null : Math.max(oldestWaitMs, now - at + oldestWaitMs)
  return {
    name: 'Oldest waiting',
    value: ms === null ? 'none' : ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : durationText(ms),
    note: ms === null ? 'nothing waits' : 'the job that has waited longest',
    trouble: ms !== null && ms >= slowMs ? 'ten minutes and more' : null,
    to: `${places.jobs}?status=pending`,
  }
}

/** Slots are shared by all rooms, so only admins are told; others see how many workers there are. */
function utilisationFigure({ slots, busySlots, workers, pending }: Overview): Figure {
  const count = `${workers} ${workers === 1 ? 'worker' : 'workers'}`
  const share = shareOf(busySlots, slots)
  if (share === null)
    return {
      name: 'Workers',
      value: String(workers),
      note: 'connected',
      trouble: null,
      to: places.workers,
    }
  return {
    name: 'Slots in use',
    value: `${Math.round(share * 100)} %`,
    note: `${busySlots} of ${slots}, ${count}`,
    trouble:
      share >= 1 && pending > 0 ? `all ${slots} busy, ${pending} ${pending === 1 ? 'waits' : 'wait'}` : null,
    to: places.placement,
  }
}
