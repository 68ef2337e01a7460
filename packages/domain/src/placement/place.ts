// Decides which jobs start where. Rooms are filled level by level, bands within a room; every class left over has a
// reason. The same snapshot gives the same plan, whatever the order of its lists.

import { cutOf } from './minimum-cut.ts'
import { buildNetwork } from './network.ts'
import { placeAlone } from './place-alone.ts'
import { placeByFlow } from './place-by-flow.ts'
import { placeDirectly, topUp } from './place-directly.ts'
import type { PlacementPlan, Waiting } from './plan.ts'
import { prepareProblem } from './problem.ts'
import type { PlacementSnapshot } from './snapshot.ts'
import { Stock, type Taken } from './stock.ts'
import { type Outcome, waitReason } from './wait-reason.ts'

export function place(snapshot: PlacementSnapshot): PlacementPlan {
  return placeAlone(snapshot) ?? placeTogether(snapshot)
}

function placeTogether(snapshot: PlacementSnapshot): PlacementPlan {
  const problem = prepareProblem(snapshot)
  const stock = new Stock(problem)
  if (placeDirectly(problem, stock)) {
    return planOf({ problem, stock }, stock.entries(), { direct: true, vectorRejects: 0 })
  }
  stock.refill()
  const network = buildNetwork(problem, stock)
  const fresh = network.graph.residual.slice()
  const vectorRejects = placeByFlow(network, stock)
  topUp(problem, stock)
  const entries = stock.entries()
  const cut = cutOf(network, fresh, stock, entries)
  return planOf({ problem, stock, flow: { network, cut } }, entries, { direct: false, vectorRejects })
}

function planOf(
  outcome: Outcome,
  entries: readonly Taken[],
  how: Pick<PlacementPlan, 'direct' | 'vectorRejects'>,
): PlacementPlan {
  const { classes, workers } = outcome.problem
  const assignments = entries.map(({ one, worker, count }) => ({
    class: classes[one]!.key,
    worker: workers[worker]!.id,
    count,
  }))
  return { assignments, waiting: waitingOf(outcome), ...how }
}

function waitingOf(outcome: Outcome): Waiting[] {
  const { problem, stock } = outcome
  const waiting: Waiting[] = []
  for (const [one, { key, pending }] of problem.classes.entries()) {
    const placed = stock.placed(one)
    if (placed < pending)
      waiting.push({ class: key, count: pending - placed, why: waitReason(outcome, one, placed) })
  }
  return waiting
}
