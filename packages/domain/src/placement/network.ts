// The flow network of one problem:
//   source → room → lane (one band of one room) → class [→ gate of its extension] → pool → hub → sink
// A pool that keeps slots for short classes has a second node, through which all other classes come.

import { bandCount } from '../job/order.ts'
import { FlowGraph, unlimited } from './flow-graph.ts'
import { addOutlet, arcOf, type Outlet, outletGroups } from './outlets.ts'
import { headroom, type Problem } from './problem.ts'
import type { Stock } from './stock.ts'
import { tabulate } from './tabulate.ts'

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
  const roomEdges = tabulate(rooms, (_, room) => graph.addEdge(source, roomNode + room, 0))
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
    const poolNodes = problem.isShort[group.classes[0]!] === 1 ? supply.nodes : supply.commonNodes
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
  const outlet = network.outlets[network.outletOf[one]!]!
  pushIn(network, one, amount)
  network.graph.push(arcOf(outlet, outlet.pools.indexOf(pool)), amount)
  pushOut(network, one, pool, amount)
}

/**
 * Sends the class to slots that are free, nobody having to make way, and says how many jobs that was. It goes where
 * most is free: what is pushed now stands least in the way of those who come next.
 */
export function pushStraight(network: Network, one: number): number {
  const { graph, outlets, outletOf, hubEdge } = network
  const outlet = outlets[outletOf[one]!]!
  const wanted = Math.min(roomIn(network, one), graph.residual[hubEdge]!)
  let left = wanted
  while (left > 0) {
    const index = widest(network, one)
    if (index < 0) break
    const arc = arcOf(outlet, index)
    const amount = Math.min(left, graph.residual[arc]!, roomOut(network, one, outlet.pools[index]!))
    graph.push(arc, amount)
    pushOut(network, one, outlet.pools[index]!, amount)
    left -= amount
  }
  pushIn(network, one, wanted - left)
  return wanted - left
}

/** Which of the outlet's arcs leads to the most free slots; −1 when none does. */
function widest(network: Network, one: number): number {
  const { graph, outlets, outletOf } = network
  const outlet = outlets[outletOf[one]!]!
  let best = -1
  let most = 0
  for (let index = 0; index < outlet.pools.length; index++) {
    const free = Math.min(graph.residual[arcOf(outlet, index)]!, roomOut(network, one, outlet.pools[index]!))
    if (free <= most) continue
    best = index
    most = free
  }
  return best
}

/** How many more jobs of the class can come as far as its outlet. */
function roomIn({ graph, problem, roomEdges, classEdges, outlets, outletOf }: Network, one: number): number {
  const { residual } = graph
  const { gate } = outlets[outletOf[one]!]!
  const room = Math.min(residual[roomEdges[problem.roomOf[one]!]!]!, residual[classEdges[one]!]!)
  return gate === null ? room : Math.min(room, residual[gate.edge]!)
}

function pushIn(network: Network, one: number, amount: number): void {
  const { graph, problem, roomEdges, lanes, laneOf, classEdges, outlets, outletOf } = network
  const { gate, classes } = outlets[outletOf[one]!]!
  graph.push(roomEdges[problem.roomOf[one]!]!, amount)
  graph.push(lanes[laneOf[one]!]!.edge, amount)
  graph.push(classEdges[one]!, amount)
  if (gate === null) return
  graph.push(gate.entries[classes.indexOf(one)]!, amount)
  graph.push(gate.edge, amount)
}

/** How many more jobs of the class the pool lets through. */
function roomOut({ graph, problem, commonEdges, poolEdges }: Network, one: number, pool: number): number {
  const common = problem.isShort[one] === 1 ? -1 : commonEdges[pool]!
  const room = graph.residual[poolEdges[pool]!]!
  return common < 0 ? room : Math.min(room, graph.residual[common]!)
}

function pushOut(network: Network, one: number, pool: number, amount: number): void {
  const { graph, problem, commonEdges, poolEdges, hubEdge } = network
  const common = problem.isShort[one] === 1 ? -1 : commonEdges[pool]!
  if (common >= 0) graph.push(common, amount)
  graph.push(poolEdges[pool]!, amount)
  graph.push(hubEdge, amount)
}

function lanesOf({ rooms, classes, roomOf, bandOf }: Problem): LaneClasses[] {
  const byPlace: (LaneClasses | undefined)[] = new Array(bandCount * rooms.length).fill(undefined)
  for (let one = 0; one < classes.length; one++) {
    const room = roomOf[one]!
    const band = bandOf[one]!
    const place = (bandCount - 1 - band) * rooms.length + room
    const lane = byPlace[place]
    if (lane === undefined) byPlace[place] = { room, band, classes: [one] }
    else lane.classes.push(one)
  }
  return byPlace.filter((lane) => lane !== undefined)
}

function roomMost({ rooms, roomOf, offered }: Problem): Int32Array {
  const demand = new Float64Array(rooms.length)
  for (let one = 0; one < roomOf.length; one++) demand[roomOf[one]!]! += offered[one]!
  return tabulate(rooms, ({ limit, running }, room) =>
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
  const nodes = tabulate(pools, (_, pool) => poolNode + pool)
  const commonNodes = nodes.slice()
  const commonEdges = new Int32Array(pools.length).fill(-1)
  const poolEdges = tabulate(pools, ({ members }, pool) => {
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
