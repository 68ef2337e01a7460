// What one more worker would change now: the plan without it beside the plan with it. Nothing is claimed and nothing is
// kept; both plans are made of the same snapshot.

import { place } from './place.ts'
import type { PlacementPlan, Waiting } from './plan.ts'
import type { PlacementSnapshot, WorkerSupply } from './snapshot.ts'

export interface WhatIf {
  /** One entry for each class that starts another number of jobs, sorted by class; fewer where others take its turn. */
  readonly changes: readonly ChangedStarts[]
  /** What would still wait, and why. */
  readonly waiting: readonly Waiting[]
}

export interface ChangedStarts {
  readonly class: string
  readonly before: number
  readonly after: number
}

export function whatIf(snapshot: PlacementSnapshot, worker: WorkerSupply): WhatIf {
  const before = startsByClass(place(snapshot))
  const plan = place({ ...snapshot, workers: [...snapshot.workers, worker] })
  const after = startsByClass(plan)
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ class: key, before: before.get(key) ?? 0, after: after.get(key) ?? 0 }))
    .filter((change) => change.before !== change.after)
    .sort((a, b) => (a.class < b.class ? -1 : 1))
  return { changes, waiting: plan.waiting }
}

function startsByClass({ assignments }: PlacementPlan): ReadonlyMap<string, number> {
  const starts = new Map<string, number>()
  for (const { class: key, count } of assignments) starts.set(key, (starts.get(key) ?? 0) + count)
  return starts
}
