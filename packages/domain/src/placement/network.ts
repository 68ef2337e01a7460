// The flow network of one problem:
//   source → room → lane (one band of one room) → class [→ gate of its extension] → pool → hub → sink
// A pool that keeps slots for short classes has a second node, through which all other classes come.

import { FlowGraph, unlimited } from './flow-graph.ts'
import { addOutlet, type Outlet, outletGroups } from './outlets.ts'
import { headroom, type Problem } from './problem.ts'
import type { Stock } from './stock.ts'

export interface Network {
  readonly problem: Problem
  readonly graph: FlowGraph
  readonly classNode: number
  readonly roomEdges: Int32Array
  /** What the room could start at most: its demand, within its limit. */
  readonly roomMost: Int32Array
  /** Highest band first, then by room. */
  readonly lanes: readonly Lane[]
  readonly laneOf: Int32Array
  /** The lanes of each room, highest band first. */
  readonly roomLanes: readonly (readonly Lane[])[]
  readonly classEdges: Int32Array
  readonly outlets: readonly Outlet[]
  readonly outletOf: Int32Array
  /** −1 where the pool keeps nothing. */
  readonly commonEdges: Int32Array
  readonly poolEdges: Int32Array
  readonly hubEdge: number
}

export interface Lane extends LaneClasses {
  readonly node: number
  readonly edge: number
}

interface LaneClasses {
  readonly room: number
  readonly band: number
  readonly classes: number[]
}

export const source = 0
export const sink = 1
export const hub = 2
export const roomNode = 3

export function buildNetwork(problem: Problem, stock: Stock): Network {
  const { rooms, classes, pools, capablePools } = problem
  const laneList = lanesOf(problem)
  const groups = outletGroups(problem)
  const laneNode = roomNode + rooms.length
  const classNode = laneNode + laneList.length
  const gateNode = classNode + classes.length
  const poolNode = gateNode + 2 * groups.filter(({ limit }) => limit !== null).length
  const arcCount = groups.reduce((sum, group) => sum + capablePools[group.classes[0]!]!.length, 0)
  const edgeCount =
    1 + rooms.length + laneList.length + 2 * classes.length + groups.length + arcCount + 2 * pools.length
  const graph = new FlowGraph(poolNode + 2 * pools.length, edgeCount)

  const { maxRunning, running } = problem.snapshot
  const hubEdge = graph.addEdge(hub, sink, headroom(maxRunning, running ?? 0) ?? unlimited)
  const roomEdges = Int32Array.from(rooms, (_, room) => graph.addEdge(source, roomNode + room, 0))
  const supply = addPools(problem, stock, graph, poolNode)
  const laneOf = new Int32Array(classes.length)
  const classEdges = new Int32Array(classes.length)
  const lanes = laneList.map((lane, index) => {
    const node = laneNode + index
    for (const one of lane.classes) {
      laneOf[one] = index
      classEdges[one] = graph.addEdge(node, classNode + one, problem.offered[one]!)
    }
    return { ...lane, node, edge: graph.addEdge(roomNode + lane.room, node, unlimited) }
  })
  const roomLanes: Lane[][] = rooms.map(() => [])
  for (const lane of lanes) roomLanes[lane.room]!.push(lane)
  const outletOf = new Int32Array(classes.length)
  let nextGate = gateNode
  const outlets = groups.map((group, index) => {
    for (const one of group.classes) outletOf[one] = index
    const poolNodes = classes[group.classes[0]!]!.short === true ? supply.nodes : supply.commonNodes
    const site = { classNode, gateNode: nextGate, poolNodes }
    if (group.limit !== null) nextGate += 2
    return addOutlet(problem, stock, graph, group, site)
  })
  graph.seal()
  const { commonEdges, poolEdges } = supply
  const demand = { roomEdges, roomMost: roomMost(problem), lanes, laneOf, roomLanes, classEdges }
  return { problem, graph, classNode, ...demand, outlets, outletOf, commonEdges, poolEdges, hubEdge }
}

/** Moves `amount` jobs of the class (negative: takes them back) along their whole way through the pool. */
export function pushThrough(network: Network, one: number, pool: number, amount: number): void {
  const { graph } = network
  const { arcs, pools } = network.outlets[network.outletOf[one]!]!
  for (const edge of wayIn(network, one)) graph.push(edge, amount)
  graph.push(arcs[pools.indexOf(pool)]!, amount)
  for (const edge of wayOut(network, one, pool)) graph.push(edge, amount)
}

/**
 * Sends the class to slots that are free, nobody having to make way, and says how many jobs that was. It goes where
 * most is free: what is pushed now stands least in the way of those who come next.
 */
export function pushStraight(network: Network, one: number): number {
  const { graph } = network
  const { arcs, pools } = network.outlets[network.outletOf[one]!]!
  const before = wayIn(network, one)
  const wanted = narrowest(graph, before)
  let left = wanted
  while (left > 0) {
    const index = widest(network, one)
    if (index < 0) break
    const after = wayOut(network, one, pools[index]!)
    const amount = Math.min(left, graph.residual[arcs[index]!]!, narrowest(graph, after))
    if (amount === 0) break
    graph.push(arcs[index]!, amount)
    for (const edge of after) graph.push(edge, amount)
    left -= amount
  }
  for (const edge of before) graph.push(edge, wanted - left)
  return wanted - left
}

/** Which of the outlet's arcs leads to the most free slots; −1 when none does. */
function widest({ graph, problem, outlets, outletOf, poolEdges, commonEdges }: Network, one: number): number {
  const { arcs, pools } = outlets[outletOf[one]!]!
  const short = problem.classes[one]!.short === true
  let best = -1
  let most = 0
  for (let index = 0; index < arcs.length; index++) {
    const pool = pools[index]!
    const common = short ? -1 : commonEdges[pool]!
    let free = Math.min(graph.residual[arcs[index]!]!, graph.residual[poolEdges[pool]!]!)
    if (common >= 0) free = Math.min(free, graph.residual[common]!)
    if (free <= most) continue
    best = index
    most = free
  }
  return best
}

function narrowest({ residual }: FlowGraph, edges: readonly number[]): number {
  let least = unlimited
  for (const edge of edges) if (residual[edge]! < least) least = residual[edge]!
  return least
}

function wayIn(network: Network, one: number): number[] {
  const { roomEdges, lanes, laneOf, classEdges, outlets, outletOf, problem } = network
  const { gate, classes } = outlets[outletOf[one]!]!
  const edges = [roomEdges[problem.roomOf[one]!]!, lanes[laneOf[one]!]!.edge, classEdges[one]!]
  if (gate !== null) edges.push(gate.entries[classes.indexOf(one)]!, gate.edge)
  return edges
}

function wayOut({ problem, commonEdges, poolEdges, hubEdge }: Network, one: number, pool: number): number[] {
  const common = problem.classes[one]!.short === true ? -1 : commonEdges[pool]!
  return common < 0 ? [poolEdges[pool]!, hubEdge] : [common, poolEdges[pool]!, hubEdge]
}

function lanesOf({ classes, roomOf, bandOf }: Problem): LaneClasses[] {
  const byKey = new Map<number, LaneClasses>()
  for (const one of classes.keys()) {
    const room = roomOf[one]!
    const band = bandOf[one]!
    const key = room - band * 2 ** 32
    const lane = byKey.get(key)
    if (lane === undefined) byKey.set(key, { room, band, classes: [one] })
    else lane.classes.push(one)
  }
  return Array.from(byKey)
    .sort(([a], [b]) => a - b)
    .map(([, lane]) => lane)
}

function roomMost({ rooms, roomOf, offered }: Problem): Int32Array {
  const demand = new Float64Array(rooms.length)
  for (const [one, room] of roomOf.entries()) demand[room]! += offered[one]!
  return Int32Array.from(rooms, ({ limit, running }, room) =>
    Math.min(demand[room]!, headroom(limit, running) ?? unlimited, unlimited),
  )
}

interface Supply {
  /** The node that short classes lead to, and the node for all others; one and the same where nothing is kept. */
  readonly nodes: Int32Array
  readonly commonNodes: Int32Array
  readonly commonEdges: Int32Array
  readonly poolEdges: Int32Array
}

function addPools({ pools }: Problem, stock: Stock, graph: FlowGraph, poolNode: number): Supply {
  const nodes = Int32Array.from(pools, (_, pool) => poolNode + pool)
  const commonNodes = Int32Array.from(nodes)
  const commonEdges = new Int32Array(pools.length).fill(-1)
  const poolEdges = Int32Array.from(pools, ({ members }, pool) => {
    let slots = 0
    let common = 0
    for (const worker of members) {
      slots += stock.slots(worker)
      common += stock.commonSlots(worker)
    }
    if (common < slots) {
      commonNodes[pool] = poolNode + pools.length + pool
      commonEdges[pool] = graph.addEdge(commonNodes[pool]!, nodes[pool]!, common)
    }
    return graph.addEdge(nodes[pool]!, hub, slots)
  })
  return { nodes, commonNodes, commonEdges, poolEdges }
}
