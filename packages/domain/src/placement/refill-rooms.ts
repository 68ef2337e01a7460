// After packing has sent jobs back: fills what became free, job by job. The room that stands lowest goes first, with
// the highest of its bands that still finds a way; others may change places for it, but nobody loses a start.

import { takerOf } from './fill-rooms.ts'
import { waysToSink } from './minimum-cut.ts'
import { type Lane, type Network, sink } from './network.ts'
import { WaySearch } from './way-search.ts'

/** Answers how many jobs found another way. */
export function refillRooms(network: Network): number {
  const { graph, roomEdges, roomMost, roomLanes } = network
  const search = new WaySearch(graph)
  for (const [room, edge] of roomEdges.entries()) {
    graph.setCapacity(edge, roomMost[room]!)
    search.bar(edge)
  }
  let way = waysToSink(graph)
  const open = new Map<number, Lane[]>()
  for (const [room, lanes] of roomLanes.entries()) open.set(room, [...lanes])
  let served = 0
  while (open.size > 0) {
    const room = lowestRoom(network, [...open.keys()])
    const lanes = open.get(room)!
    // A node without a way never gets one again: what is pushed later cannot come past it.
    while (lanes.length > 0 && way[lanes[0]!.node] === 0) lanes.shift()
    const lane = lanes[0]
    if (lane === undefined || graph.residual[roomEdges[room]!] === 0) open.delete(room)
    else if (search.push(lane.node, sink, 1) === 0) way = waysToSink(graph)
    else {
      graph.push(lane.edge, 1)
      graph.push(roomEdges[room]!, 1)
      served += 1
    }
  }
  return served
}

function lowestRoom(network: Network, rooms: readonly number[]): number {
  let lowest = -1
  let level = Number.POSITIVE_INFINITY
  let rank = Number.POSITIVE_INFINITY
  for (const room of rooms) {
    const taker = takerOf(network, room)
    const own = taker.standing / taker.weight
    if (own < level || (own === level && taker.rank < rank)) {
      lowest = room
      level = own
      rank = taker.rank
    }
  }
  return lowest
}
