// What a room would do with a number of starts: highest band first, and inside a band its classes take turns.

import { dealTurns } from './deal-turns.ts'
import { type Lane, type Network, pushStraight, pushThrough } from './network.ts'
import { arcOf } from './outlets.ts'

/**
 * Gives the room so many more starts and each of its classes a capacity that is its part of them. What free slots can
 * take goes there at once, nobody having to make way; answers how many did.
 */
export function serveIdeally(network: Network, room: number, turns: number): number {
  const { graph, roomEdges, roomLanes } = network
  graph.residual[roomEdges[room]!] = turns
  let left = turns
  let served = 0
  for (const lane of roomLanes[room]!) {
    left -= openLane(network, lane, left)
    for (const one of lane.classes) served += pushStraight(network, one)
  }
  return served
}

/** From now on each class of the room may start whatever it offers. */
export function openClasses({ graph, problem, classEdges, roomLanes }: Network, room: number): void {
  for (const { classes } of roomLanes[room]!) {
    for (const one of classes) graph.setCapacity(classEdges[one]!, problem.offered[one]!)
  }
}

/** Takes back so many starts of the room, the lowest bands first. */
export function giveBack(network: Network, room: number, count: number): void {
  let left = count
  for (const { classes } of network.roomLanes[room]!.toReversed()) {
    for (const one of classes) {
      const outlet = network.outlets[network.outletOf[one]!]!
      for (let index = 0; index < outlet.pools.length && left > 0; index++) {
        const { graph, classEdges } = network
        const amount = Math.min(left, graph.flowOf(classEdges[one]!), graph.flowOf(arcOf(outlet, index)))
        if (amount === 0) continue
        pushThrough(network, one, outlet.pools[index]!, -amount)
        left -= amount
      }
    }
  }
}

/** Opens the classes of the lane for `left` starts at most, and says for how many. */
function openLane(network: Network, { classes }: Lane, left: number): number {
  const { graph, problem, classEdges } = network
  let demand = 0
  for (const one of classes) demand += problem.offered[one]! - graph.flowOf(classEdges[one]!)
  if (demand > left && left > 0 && classes.length > 1) return openEvenly(network, classes, left)
  for (const one of classes) {
    const edge = classEdges[one]!
    graph.residual[edge] = Math.min(left, problem.offered[one]! - graph.flowOf(edge))
  }
  return Math.min(demand, left)
}

function openEvenly(
  { graph, problem, classEdges }: Network,
  classes: readonly number[],
  left: number,
): number {
  const takers = classes.map((one) => {
    const flow = graph.flowOf(classEdges[one]!)
    const standing = (problem.classes[one]!.running ?? 0) + flow
    return { standing, weight: 1, most: problem.offered[one]! - flow, rank: problem.classRank[one]! }
  })
  const turns = dealTurns(takers, left)
  for (const [index, one] of classes.entries()) graph.residual[classEdges[one]!] = turns[index]!
  return left
}
