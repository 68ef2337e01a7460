// When there is more to do than can be done: the flow proposes how many of which class go to which pool, and the
// workers of the pool are packed. A flow counts jobs, not memory, so a pool can be offered more than it holds; what
// does not fit goes back, that way is narrowed, and the flow looks for another.

import { Dinic } from './dinic.ts'
import { fillRooms } from './fill-rooms.ts'
import { type Network, pushThrough, sink, source } from './network.ts'
import { arcOf } from './outlets.ts'
import { dimensions, type Problem } from './problem.ts'
import { promoteBands } from './promote-bands.ts'
import { refillRooms } from './refill-rooms.ts'
import type { Stock } from './stock.ts'

const repeats = 3

/** Fewer than one in so many sent back: filling the holes afterwards places as many, at a tenth of the time. */
const worthRepeating = 20

/** Answers how many jobs the flow proposed where they did not fit. */
export function placeByFlow(network: Network, stock: Stock): number {
  const order = packingOrder(network.problem)
  fillRooms(network, new Dinic(network.graph, source, sink))
  promoteBands(network)
  let rejects = 0
  for (let round = 0; ; round++) {
    stock.refill()
    const rejected = pack(network, stock, order)
    rejects += rejected
    const placed = network.graph.flowOf(network.hubEdge)
    if (round === repeats || rejected * worthRepeating <= placed || refillRooms(network) === 0) return rejects
  }
}

/** Higher bands first; within a band the bulky ones, which find a hole least easily. */
function packingOrder({ classes, bandOf, needs }: Problem): number[] {
  const weight = classes.map((_, one) => {
    const [memoryMb, gpu] = [needs[one * dimensions + 2]!, needs[one * dimensions + 3]!]
    return bandOf[one]! * 1e12 + gpu * 1e6 + memoryMb
  })
  return [...classes.keys()].sort((a, b) => weight[b]! - weight[a]! || a - b)
}

function pack(network: Network, stock: Stock, order: readonly number[]): number {
  const { graph, problem, classEdges, outlets, outletOf } = network
  // Classes that share a gate share its arcs: what one of them has packed is not there for the next.
  const packed = new Int32Array(graph.to.length)
  let rejected = 0
  for (const one of order) {
    let left = graph.flowOf(classEdges[one]!)
    const outlet = outlets[outletOf[one]!]!
    for (let index = 0; index < outlet.pools.length && left > 0; index++) {
      const arc = arcOf(outlet, index)
      const count = Math.min(left, graph.flowOf(arc) - packed[arc]!)
      if (count === 0) continue
      const pool = outlet.pools[index]!
      const placed = stock.place(one, problem.pools[pool]!.members, count)
      packed[arc]! += placed
      left -= count
      if (placed === count) continue
      pushThrough(network, one, pool, placed - count)
      graph.setCapacity(arc, 0)
      rejected += count - placed
    }
  }
  return rejected
}
