// How many jobs each room may start: the division that is max-min fair by weight and cannot be raised for anybody.
// Everybody is lifted to the common level that the supply would allow. If some cannot get there, the minimum cut names
// them: what they got together is theirs and no more, so the two sides are independent and each is divided by itself.
// (The decomposition of Fujishige and Groenevelt: exact, and a handful of flows instead of a search for every job.)

import { dealTurns, type Taker } from './deal-turns.ts'
import type { Dinic } from './dinic.ts'
import { unlimited } from './flow-graph.ts'
import { type Network, roomNode } from './network.ts'
import { giveBack, openClasses, serveIdeally } from './serve-room.ts'

/** Leaves the fair division as flow through the rooms, each room's flow as near to its ideal as one pass brings it. */
export function fillRooms(network: Network, dinic: Dinic): void {
  const { graph, roomEdges, roomMost, poolEdges, hubEdge } = network
  const rooms: number[] = []
  let demand = 0
  for (const [room, most] of roomMost.entries()) {
    if (most > 0) rooms.push(room)
    demand += most
    graph.setCapacity(roomEdges[room]!, 0)
  }
  let supply = 0
  for (const edge of poolEdges) supply += graph.residual[edge]!
  divide(network, dinic, rooms, Math.min(demand, supply, graph.residual[hubEdge]!, unlimited))
}

/** Divides among the rooms what they can get together on top of what they have, known to be at most `bound`. */
function divide(network: Network, dinic: Dinic, rooms: readonly number[], bound: number): void {
  if (rooms.length === 0 || bound === 0) return
  const { graph, roomEdges } = network
  const had = rooms.map((room) => graph.flowOf(roomEdges[room]!))
  const turns = dealTurns(
    rooms.map((room) => takerOf(network, room)),
    bound,
  )
  const wanted = turns.reduce((sum, count) => sum + count, 0)
  if (serve(network, dinic, rooms, turns) === wanted) return

  const side = dinic.sourceSide()
  const isStuck = (room: number): boolean => side[roomNode + room] === 1
  let left = bound
  let theirs = 0
  for (const [index, room] of rooms.entries()) {
    const got = graph.flowOf(roomEdges[room]!) - had[index]!
    left -= got
    if (isStuck(room)) {
      theirs += got
      giveBack(network, room, got)
    }
    graph.setCapacity(roomEdges[room]!, 0)
  }
  divide(network, dinic, rooms.filter(isStuck), theirs)
  divide(
    network,
    dinic,
    rooms.filter((room) => !isStuck(room)),
    left,
  )
}

export function takerOf({ graph, problem, roomEdges, roomMost }: Network, room: number): Taker {
  const flow = graph.flowOf(roomEdges[room]!)
  const { running, weight } = problem.rooms[room]!
  return {
    standing: running + flow,
    weight: weight ?? 1,
    most: roomMost[room]! - flow,
    rank: problem.roomRank[room]!,
  }
}

/** First as each room would like it; what cannot be had that way, by any of its classes. */
function serve(network: Network, dinic: Dinic, rooms: readonly number[], turns: readonly number[]): number {
  let left = 0
  let served = 0
  for (const [index, room] of rooms.entries()) {
    const straight = serveIdeally(network, room, turns[index]!)
    served += straight
    left += turns[index]! - straight
  }
  const rerouted = dinic.augment(left)
  for (const room of rooms) openClasses(network, room)
  return served + rerouted + dinic.augment(left - rerouted)
}
