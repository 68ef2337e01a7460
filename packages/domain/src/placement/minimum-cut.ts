// What a finished plan looks like in the network: the flow that it amounts to, and which nodes still have a way to the
// sink. Edges from those that have none to those that have one are the minimum cut: there it is narrow.

import type { FlowGraph } from './flow-graph.ts'
import { type Network, pushThrough, sink, source } from './network.ts'
import type { Stock, Taken } from './stock.ts'

export interface MinimumCut {
  /** Whether one more job could get from the node to a free slot, others changing places if need be. */
  hasWay(node: number): boolean
  isFull(edge: number): boolean
  isCut(edge: number): boolean
}

/** `fresh` is the graph's residual as it was built, before any flow narrowed it. */
export function cutOf(
  network: Network,
  fresh: Int32Array,
  stock: Stock,
  entries: readonly Taken[],
): MinimumCut {
  const { graph } = network
  graph.residual.set(fresh)
  for (const [room, edge] of network.roomEdges.entries()) graph.setCapacity(edge, network.roomMost[room]!)
  const { poolOf } = network.problem
  for (const { one, worker, count } of entries) pushThrough(network, one, poolOf[worker]!, count)
  closeFullPools(network, stock)
  const way = waysToSink(graph)
  return {
    hasWay: (node) => way[node] === 1,
    isFull: (edge) => graph.residual[edge] === 0,
    isCut: (edge) =>
      graph.residual[edge] === 0 && way[graph.to[edge ^ 1]!] === 0 && way[graph.to[edge]!] === 1,
  }
}

/** The network counts jobs; where jobs take several slots, a pool is full earlier than their number says. */
function closeFullPools({ graph, poolEdges, commonEdges, problem }: Network, stock: Stock): void {
  for (const [pool, { members }] of problem.pools.entries()) {
    if (!stock.hasSlots(pool)) graph.residual[poolEdges[pool]!] = 0
    const common = commonEdges[pool]!
    if (common >= 0 && !members.some((worker) => stock.commonSlots(worker) > 0)) graph.residual[common] = 0
  }
}

/** Backwards from the sink. Not past the source: that way would lead through another room's loss. */
export function waysToSink({ nodeCount, begin, out, outTo, residual }: FlowGraph): Uint8Array {
  const way = new Uint8Array(nodeCount)
  const queue = new Int32Array(nodeCount)
  way[sink] = 1
  queue[0] = sink
  let end = 1
  for (let head = 0; head < end; head++) {
    const node = queue[head]!
    for (let at = begin[node]!; at < begin[node + 1]!; at++) {
      const before = outTo[at]!
      if (before === source || way[before] === 1 || residual[out[at]! ^ 1] === 0) continue
      way[before] = 1
      queue[end++] = before
    }
  }
  return way
}
