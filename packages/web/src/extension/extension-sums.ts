// How extensions do, over the rooms one may see: a global or built-in one is one row, however many rooms use it.

import type { ExtensionStats, ExtensionView, Scope } from '@millrace/protocol'
import { type BreakerView, closedBreaker, worseBreaker } from './breaker.ts'

/** What one room says of an extension. */
export type RoomFigures = Omit<ExtensionStats, 'breaker'> & {
  readonly room: string | null
  readonly breaker?: BreakerView
}

export type ListedIn = ExtensionView & { readonly room: string; readonly breaker?: BreakerView }

export interface ExtensionSum {
  readonly key: string
  readonly scope: Scope
  readonly category: string
  readonly name: string
  /** Its home; null for one that serves every room. */
  readonly home: string | null
  /** A room by which the server is asked about it. */
  readonly via: string
  readonly workers: number
  readonly pending: number
  readonly running: number
  readonly completed: number
  readonly failed: number
  readonly waitMsP50: number | null
  readonly waitMsP95: number | null
  readonly runMsP50: number | null
  readonly runMsP95: number | null
  readonly paused: ExtensionView['paused']
  readonly breaker: BreakerView
  readonly owner: string | null
  readonly rooms: readonly RoomFigures[]
}

type Named = Pick<ExtensionView, 'scope' | 'category' | 'name'>

function sumKey({ scope, category, name }: Named, room: string): string {
  return `${scope === 'room' ? room : ''}/${scope}/${category}/${name}`
}

export function sumExtensions(
  listed: readonly ListedIn[],
  figures: readonly RoomFigures[],
): readonly ExtensionSum[] {
  const sums = new Map<string, ExtensionSum>()
  for (const one of listed) {
    const key = sumKey(one, one.room)
    if (!sums.has(key)) sums.set(key, listedSum(key, one))
  }
  for (const one of figures) {
    if (one.room === null) continue
    const key = sumKey(one, one.room)
    sums.set(key, add(sums.get(key) ?? bareSum(key, one, one.room), one))
  }
  return [...sums.values()].toSorted(byNeed)
}

function listedSum(key: string, one: ListedIn): ExtensionSum {
  const { paused, owner, workers, breaker = closedBreaker } = one
  return { ...bareSum(key, one, one.room), paused, owner, workers, breaker }
}

function bareSum(key: string, { scope, category, name }: Named, room: string): ExtensionSum {
  return {
    key,
    scope,
    category,
    name,
    home: scope === 'room' ? room : null,
    via: room,
    workers: 0,
    pending: 0,
    running: 0,
    completed: 0,
    failed: 0,
    waitMsP50: null,
    waitMsP95: null,
    runMsP50: null,
    runMsP95: null,
    paused: null,
    breaker: closedBreaker,
    owner: null,
    rooms: [],
  }
}

/** Quantiles of several rooms cannot be joined; the worst room's is shown, and each room's own where one looks closer. */
function add(sum: ExtensionSum, one: RoomFigures): ExtensionSum {
  return {
    ...sum,
    workers: Math.max(sum.workers, one.workers),
    pending: sum.pending + one.pending,
    running: sum.running + one.running,
    completed: sum.completed + one.completed,
    failed: sum.failed + one.failed,
    waitMsP50: larger(sum.waitMsP50, one.waitMsP50),
    waitMsP95: larger(sum.waitMsP95, one.waitMsP95),
    runMsP50: larger(sum.runMsP50, one.runMsP50),
    runMsP95: larger(sum.runMsP95, one.runMsP95),
    breaker: worseBreaker(sum.breaker, one.breaker ?? closedBreaker),
    rooms: [...sum.rooms, one],
  }
}

function larger(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

/** Null while nothing has ended. */
export function failureRate({
  completed,
  failed,
}: Pick<ExtensionSum, 'completed' | 'failed'>): number | null {
  const ended = completed + failed
  return ended === 0 ? null : failed / ended
}

/** Jobs that wait for nobody, or for somebody to act. */
export function isStuck({ workers, pending, paused, breaker }: ExtensionSum): boolean {
  return breaker.state !== 'closed' || (pending > 0 && (workers === 0 || paused !== null))
}

/** Not by load: rows would change places under the pointer with every job. */
function byNeed(a: ExtensionSum, b: ExtensionSum): number {
  const stuck = Number(isStuck(b)) - Number(isStuck(a))
  const place = (sum: ExtensionSum): string => [sum.category, sum.name, sum.home ?? ''].join(' ')
  return stuck || place(a).localeCompare(place(b))
}
