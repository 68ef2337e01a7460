// One job that waits alone, with no limit in its way: the fullest worker that holds it, found without setting up a plan. Most
// jobs of a quiet server come like this, and each of them waits for its plan.

import type { ResourceNeed } from '../worker/resources.ts'
import { defaultNeed } from '../worker/resources.ts'
import type { PlacementPlan } from './plan.ts'
import { thousandths } from './problem.ts'
import type { ClassDemand, PlacementSnapshot, WorkerSupply } from './snapshot.ts'

/** Null: there is more to it, or nobody can take it now; both are for the whole plan to say. */
export function placeAlone(snapshot: PlacementSnapshot): PlacementPlan | null {
  const one = aloneIn(snapshot)
  if (one === null) return null
  const need: ResourceNeed = { ...defaultNeed, ...one.needs }
  let best: WorkerSupply | null = null
  for (const worker of snapshot.workers) {
    if (holds(worker, one, need) && (best === null || isTighter(worker, best))) best = worker
  }
  if (best === null) return null
  const assignments = [{ class: one.key, worker: best.id, count: 1 }]
  return { assignments, waiting: [], direct: true, vectorRejects: 0 }
}

function aloneIn(snapshot: PlacementSnapshot): ClassDemand | null {
  const { classes, rooms, extensions = [], maxRunning = null, maxStartsPerClass } = snapshot
  const [one] = classes
  if (!one || classes.length > 1 || one.pending !== 1) return null
  if (one.pausedBy !== undefined || one.addressee !== undefined) return null
  if (extensions.length > 0 || maxRunning !== null || maxStartsPerClass !== undefined) return null
  return rooms.every(({ limit }) => limit === null) ? one : null
}

function holds(worker: WorkerSupply, { ability, short }: ClassDemand, need: ResourceNeed): boolean {
  const { abilities, labels = [], free, health, draining, keptForShort = 0 } = worker
  const slots = short === true ? free.slots : free.slots - keptForShort
  return (
    health.ok &&
    draining !== true &&
    slots >= Math.max(1, need.slots) &&
    thousandths(free.cpu) >= thousandths(need.cpu) &&
    free.memoryMb >= need.memoryMb &&
    thousandths(free.gpu) >= thousandths(need.gpu) &&
    abilities.includes(ability) &&
    need.labels.every((label) => labels.includes(label))
  )
}

/** As in a whole plan: large holes stay for large jobs, GPUs for GPU jobs. */
function isTighter({ id, free }: WorkerSupply, other: WorkerSupply): boolean {
  const difference =
    thousandths(free.gpu) - thousandths(other.free.gpu) ||
    free.slots - other.free.slots ||
    free.memoryMb - other.free.memoryMb ||
    thousandths(free.cpu) - thousandths(other.free.cpu)
  return difference === 0 ? id < other.id : difference < 0
}
