// The passes of this replica as somebody may see them: the last one drawn, and all that are remembered in short.

import type { Caller, Waiting } from '@millrace/domain'
import { type ClassName, classNameOf, type DrawnNetwork, drawPlacement } from './draw-placement.ts'
import { type KeptPass, type PassBook, sumsOf } from './pass-book.ts'
import { type Sight, type SightParts, sightOf } from './placement-sight.ts'
import { sentenceOf } from './why-job.ts'

export interface PassParts extends SightParts {
  readonly passes: PassBook
}

export interface SeenWaiting extends ClassName {
  readonly count: number
  readonly reason: string
  readonly sentence: string
  readonly details: Record<string, unknown>
}

export interface SeenPass extends DrawnNetwork {
  readonly at: number | null
  readonly pass: number | null
  readonly waiting: readonly SeenWaiting[]
}

export interface ShortPass {
  readonly pass: number
  readonly at: number
  readonly started: number
  readonly waiting: number
  readonly drawn: boolean
  /** Null to all but admins: they tell of rooms that others may not see. */
  readonly passes: number | null
  readonly planMs: number | null
  readonly workers: number | null
  readonly freeSlots: number | null
}

const nothing: SeenPass = { at: null, pass: null, nodes: [], edges: [], waiting: [] }

/** The last pass, or the one that is named; where it says nothing of rooms they may see, there is none for them. */
export async function lookAtPass(parts: PassParts, who: Caller, named?: number): Promise<SeenPass> {
  const sight = await sightOf(parts, who, snapshotsOf(parts.passes))
  const pass = parts.passes
    .all()
    .findLast((one) => (named === undefined || one.since === named) && concerns(one, sight))
  if (!pass?.drawing) return nothing
  const { at, since, drawing } = pass
  const waiting = seenWaiting(drawing.plan.waiting, sight)
  return { at, pass: since, ...drawPlacement(drawing, sight), waiting }
}

export async function lookAtPasses(parts: PassParts, who: Caller): Promise<readonly ShortPass[]> {
  const sight = await sightOf(parts, who, snapshotsOf(parts.passes))
  return parts.passes
    .all()
    .filter((pass) => sight.isAdmin || concerns(pass, sight))
    .map((pass) => inShort(pass, sight))
}

export function seenWaiting(waiting: readonly Waiting[], sight: Pick<Sight, 'room'>): readonly SeenWaiting[] {
  return waiting
    .map(({ class: key, count, why }) => ({ ...classNameOf(key), count, why }))
    .filter(({ room }) => sight.room(room))
    .map(({ why: { reason, ...details }, ...one }) => ({
      ...one,
      reason,
      sentence: sentenceOf({ reason, ...details } as Waiting['why']),
      details,
    }))
}

function snapshotsOf(passes: PassBook) {
  return passes.all().flatMap(({ drawing }) => drawing?.snapshot ?? [])
}

function concerns({ drawing }: KeptPass, sight: Sight): boolean {
  return drawing?.snapshot.classes.some(({ room }) => sight.room(room)) === true
}

function inShort(pass: KeptPass, sight: Sight): ShortPass {
  const { since, at, passes, planMs, drawing } = pass
  const sums = sumsOf(pass, (key) => sight.room(classNameOf(key).room))
  const short = { pass: since, at, ...sums, drawn: drawing !== null }
  if (!sight.isAdmin) return { ...short, passes: null, planMs: null, workers: null, freeSlots: null }
  const workers = drawing?.snapshot.workers
  return {
    ...short,
    passes,
    planMs,
    workers: workers?.length ?? null,
    freeSlots: workers?.reduce((sum, { free }) => sum + free.slots, 0) ?? null,
  }
}
