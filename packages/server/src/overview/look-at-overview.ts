// How it goes now in the rooms that somebody may see, and what is not as it should be.

import { type Caller, isFailing, isSlow, isStuck, type Job, place } from '@millrace/domain'
import { seenWaiting } from '../placement/look-at-passes.ts'
import { type Surroundings, takeSnapshot } from '../placement/take-snapshot.ts'
import { visibleJobs } from '../room/visible-jobs.ts'
import { listWorkers, type WorkerViewParts } from '../worker/list-workers.ts'
import { Figures } from './figures.ts'
import { quantilesOf, roomsSeen, type SeriesParts, sumOf, type TimeQuantiles } from './look-at-series.ts'
import type { Look } from './series.ts'
import { takeLook } from './take-look.ts'

export type OverviewParts = Surroundings & SeriesParts & WorkerViewParts

export interface Trouble {
  readonly kind: 'waiting' | 'failing' | 'slow' | 'worker'
  readonly sentence: string
  readonly room?: string
  readonly category?: string
  readonly extension?: string
  readonly worker?: string
  readonly count?: number
}

export interface SeenOverview {
  readonly at: number
  readonly pending: number
  readonly running: number
  readonly oldestWaitMs: number | null
  readonly workers: number
  /** Null to all but admins: rooms share slots. */
  readonly slots: number | null
  readonly busySlots: number | null
  readonly recent: Pick<Figures, 'completed' | 'failed' | 'cancelled'> & TimeQuantiles
  readonly troubles: readonly Trouble[]
}

const recentMs = 10 * 60_000
/** Jobs that wait for an instant of their own stand among the oldest, and are passed over. */
const oldestLookedAt = 20
const troublesAtMost = 100
/** The newest; how many there are in all is for the page of dead letters. */
const lettersLookedAt = 100

export async function lookAtOverview(parts: OverviewParts, who: Caller): Promise<SeenOverview> {
  const now = parts.store.now()
  const look = takeLook(parts)
  const { figures, byRoom, sees } = await recentFigures(parts, who, look, now)
  const [oldestWaitMs, workers, stuck, letters] = await Promise.all([
    oldestWait(parts, who, now),
    listWorkers(parts, who),
    stuckClasses(parts, sees),
    recentLetters(parts, who, now),
  ])
  const { completed, failed, cancelled } = figures
  const isAdmin = who.role === 'admin'
  const failingRooms = failing(byRoom)
  const givenUp = failedForGood(
    letters,
    failingRooms.map(({ room }) => room),
  )
  const troubles = [...stuck, ...failingRooms, ...givenUp, ...slow(oldestWaitMs), ...unwell(workers)]
  return {
    at: now,
    pending: sumIn(look.pending, sees),
    running: sumIn(look.running, sees),
    oldestWaitMs,
    workers: workers.filter(({ record }) => record.worker.lease.presence === 'connected').length,
    slots: isAdmin ? look.slots : null,
    busySlots: isAdmin ? look.busySlots : null,
    recent: { completed, failed, cancelled, ...quantilesOf(figures) },
    troubles: troubles.slice(0, troublesAtMost),
  }
}

async function recentFigures(parts: OverviewParts, who: Caller, look: Look, now: number) {
  const recent = parts.series.intervals('hour').filter(({ at }) => at > now - recentMs)
  const lookedAt = {
    rooms: new Map([...look.pending.keys(), ...look.running.keys()].map((room) => [room, new Figures()])),
  }
  const sees = await roomsSeen(parts, who, [...recent, lookedAt])
  const figures = new Figures()
  const byRoom = new Map<string, Figures>()
  for (const interval of recent) {
    figures.addEnds(sumOf(interval, sees))
    for (const [room, its] of interval.rooms) {
      if (!sees.has(room)) continue
      const sum = byRoom.get(room) ?? new Figures()
      sum.addEnds(its)
      byRoom.set(room, sum)
    }
  }
  return { figures, byRoom, sees }
}

function sumIn(counts: ReadonlyMap<string, number>, sees: ReadonlySet<string>): number {
  let sum = 0
  for (const [room, count] of counts) if (sees.has(room)) sum += count
  return sum
}

async function oldestWait(parts: OverviewParts, who: Caller, now: number): Promise<number | null> {
  const query = { filter: { statuses: ['pending'] }, order: 'oldest', limit: oldestLookedAt } as const
  const { jobs } = await visibleJobs(parts, who, query)
  const oldest = jobs.find(({ queued }) => queued)
  return oldest ? Math.max(0, now - waitsSince(oldest)) : null
}

function waitsSince({ submission }: Job): number {
  return Math.max(submission.createdAt, submission.notBefore ?? 0)
}

async function stuckClasses(parts: OverviewParts, sees: ReadonlySet<string>): Promise<Trouble[]> {
  const { snapshot } = await takeSnapshot(parts)
  const stuck = place(snapshot).waiting.filter(({ why }) => isStuck(why))
  return seenWaiting(stuck, { room: (name) => sees.has(name) })
    .toSorted((a, b) => b.count - a.count)
    .map(({ room, category, extension, count, sentence }) => ({
      kind: 'waiting',
      sentence: `${count} ${count === 1 ? 'job waits' : 'jobs wait'}. ${sentence}`,
      room,
      category,
      extension,
      count,
    }))
}

function failing(byRoom: ReadonlyMap<string, Figures>): Trouble[] {
  return [...byRoom]
    .filter(([, figures]) => isFailing(figures))
    .toSorted(([, a], [, b]) => b.failed - a.failed)
    .map(([room, { failed, completed }]) => ({
      kind: 'failing',
      sentence: `${failed} of ${failed + completed} jobs failed in the last ten minutes.`,
      room,
      count: failed,
    }))
}

/** One that was run again is no dead letter any more, and needs nobody. */
async function recentLetters(parts: OverviewParts, who: Caller, now: number): Promise<Job[]> {
  const query = {
    filter: { deadLetters: true },
    order: 'newest',
    limit: lettersLookedAt,
    mayLag: true,
  } as const
  const { jobs } = await visibleJobs(parts, who, query)
  return jobs.filter(({ endedAt = 0 }) => endedAt > now - recentMs)
}

/** However few: each waits for somebody. Rooms where many fail are named already. */
function failedForGood(letters: readonly Job[], named: readonly (string | undefined)[]): Trouble[] {
  const alike = new Map<string, { room: string; category: string; extension: string; count: number }>()
  for (const { submission } of letters) {
    const { room, category, extension } = submission
    if (named.includes(room)) continue
    const key = JSON.stringify([room, category, extension])
    alike.set(key, { room, category, extension, count: (alike.get(key)?.count ?? 0) + 1 })
  }
  return [...alike.values()]
    .toSorted((a, b) => b.count - a.count)
    .map((one) => ({
      kind: 'failing',
      sentence: `${one.count} ${one.count === 1 ? 'job' : 'jobs'} failed for good in the last ten minutes.`,
      ...one,
    }))
}

function slow(oldestWaitMs: number | null): Trouble[] {
  if (oldestWaitMs === null || !isSlow(oldestWaitMs)) return []
  return [{ kind: 'slow', sentence: `A job has waited for ${Math.floor(oldestWaitMs / 60_000)} minutes.` }]
}

function unwell(workers: Awaited<ReturnType<typeof listWorkers>>): Trouble[] {
  return workers.flatMap(({ record, health }) => {
    const { id, draining, lease } = record.worker
    if (health.ok || draining || lease.presence === 'lost') return []
    return [{ kind: 'worker', sentence: `It gets no jobs: ${health.reason}.`, worker: id }]
  })
}
