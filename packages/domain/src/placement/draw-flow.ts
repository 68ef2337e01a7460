// The network of a plan, for the screen: every edge with what flows over it, how much could, and whether the minimum
// cut goes through it. Kept apart from the plan, which is made far more often than it is looked at.

import { cutOf, type MinimumCut } from './minimum-cut.ts'
import { buildNetwork, type Network } from './network.ts'
import { arcOf } from './outlets.ts'
import type { PlacementPlan } from './plan.ts'
import { type Problem, prepareProblem } from './problem.ts'
import type { PlacementSnapshot } from './snapshot.ts'
import { Stock, type Taken } from './stock.ts'

export interface FlowNode {
  readonly kind: 'source' | 'room' | 'class' | 'extension' | 'pool' | 'sink'
  readonly key: string
}

export interface FlowEdge {
  readonly from: FlowNode
  readonly to: FlowNode
  readonly flow: number
  readonly capacity: number
  readonly cut: boolean
}

export function drawFlow(snapshot: PlacementSnapshot, plan: PlacementPlan): FlowEdge[] {
  const problem = prepareProblem(snapshot)
  const stock = new Stock(problem)
  const network = buildNetwork(problem, stock)
  const fresh = network.graph.residual.slice()
  const entries = takenBy(problem, plan)
  for (const { one, worker, count } of entries) stock.place(one, [worker], count)
  const cut = cutOf(network, fresh, stock, entries)
  return [...roomEdges(network, cut), ...outletEdges(network, cut), ...poolEdges(network, cut)]
}

function takenBy({ classes, workers }: Problem, { assignments }: PlacementPlan): Taken[] {
  const numberOfClass = new Map(classes.map(({ key }, index) => [key, index]))
  const numberOfWorker = new Map(workers.map(({ id }, index) => [id, index]))
  return assignments.map(({ class: key, worker, count }) => ({
    one: numberOfClass.get(key)!,
    worker: numberOfWorker.get(worker)!,
    count,
  }))
}

function edgeOf({ graph }: Network, cut: MinimumCut, edge: number, from: FlowNode, to: FlowNode): FlowEdge {
  return { from, to, flow: graph.flowOf(edge), capacity: graph.capacityOf(edge), cut: cut.isCut(edge) }
}

function roomEdges(network: Network, cut: MinimumCut): FlowEdge[] {
  const { rooms, classes, roomOf } = network.problem
  const from: FlowNode = { kind: 'source', key: '' }
  const toRooms = rooms.map(({ name }, room) =>
    edgeOf(network, cut, network.roomEdges[room]!, from, { kind: 'room', key: name }),
  )
  const toClasses = classes.map(({ key }, one) => {
    const room: FlowNode = { kind: 'room', key: rooms[roomOf[one]!]!.name }
    return edgeOf(network, cut, network.classEdges[one]!, room, { kind: 'class', key })
  })
  return [...toRooms, ...toClasses]
}

function outletEdges(network: Network, cut: MinimumCut): FlowEdge[] {
  const { classes, pools } = network.problem
  return network.outlets.flatMap((outlet) => {
    const first: FlowNode = { kind: 'class', key: classes[outlet.classes[0]!]!.key }
    const { gate } = outlet
    const from: FlowNode = gate === null ? first : { kind: 'extension', key: gate.extension }
    const toPools = outlet.pools.map((pool, position) =>
      edgeOf(network, cut, arcOf(outlet, position), from, { kind: 'pool', key: pools[pool]!.key }),
    )
    if (gate === null) return toPools
    const toGate = outlet.classes.map((one, index) => {
      const edge = edgeOf(network, cut, gate.entries[index]!, { kind: 'class', key: classes[one]!.key }, from)
      return { ...edge, cut: edge.cut || cut.isCut(gate.edge) }
    })
    return [...toGate, ...toPools]
  })
}

/** Where the limit over all rooms is what stops the flow, the cut is shown on the way from every pool. */
function poolEdges(network: Network, cut: MinimumCut): FlowEdge[] {
  const to: FlowNode = { kind: 'sink', key: '' }
  return network.problem.pools.map(({ key }, pool) => {
    const edge = edgeOf(network, cut, network.poolEdges[pool]!, { kind: 'pool', key }, to)
    const kept = network.commonEdges[pool]!
    return { ...edge, cut: edge.cut || cut.isCut(network.hubEdge) || (kept >= 0 && cut.isCut(kept)) }
  })
}
