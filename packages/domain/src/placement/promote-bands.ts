// Makes the order of bands exact. Serving one room can push another onto a lower band although a third way was open;
// so, from the highest band down, each room trades its lower jobs for higher ones as far as that is possible without
// changing any room's total or what a band settled before this one has got.

import { hub, type Lane, type Network, roomNode } from './network.ts'
import { WaySearch } from './way-search.ts'

/**
 * A cycle room → higher lane → … → lower lane → room in the residual graph trades the one for the other. None leads
 * through the source, and so none changes a total: every room has its share and no edge from the source is open.
 */
export function promoteBands(network: Network): void {
  const { graph, roomEdges } = network
  const search = new WaySearch(graph)
  /** By room: what flows through its lanes that are not settled yet. */
  const open = Int32Array.from(roomEdges, (edge) => graph.flowOf(edge))
  for (const lane of settlingOrder(network)) {
    search.bar(lane.edge)
    open[lane.room]! -= graph.flowOf(lane.edge)
    const avoid = leavesSlotsFree(network, lane.room) ? -1 : hub
    for (;;) {
      const wanted = Math.min(open[lane.room]!, waitingIn(network, lane))
      const traded = wanted === 0 ? 0 : search.push(lane.node, roomNode + lane.room, wanted, avoid)
      if (traded === 0) break
      graph.push(lane.edge, traded)
      open[lane.room]! -= traded
    }
  }
}

/**
 * Only a limit keeps a room from a slot that is free. Others need not look for ways through the hub, which touches
 * every pool: had there been one, the room would have been given more.
 */
function leavesSlotsFree({ graph, roomEdges, roomMost, hubEdge }: Network, room: number): boolean {
  return graph.residual[hubEdge] === 0 || graph.flowOf(roomEdges[room]!) === roomMost[room]!
}

/** From the highest band down; in a band the room that runs least for its weight chooses first. */
function settlingOrder({ lanes, problem: { rooms, roomRank } }: Network): Lane[] {
  const level = rooms.map(({ running, weight }) => running / (weight ?? 1))
  return [...lanes].sort(
    (a, b) => b.band - a.band || level[a.room]! - level[b.room]! || roomRank[a.room]! - roomRank[b.room]!,
  )
}

function waitingIn({ graph, classEdges }: Network, { classes }: Lane): number {
  let waiting = 0
  for (const one of classes) waiting += graph.residual[classEdges[one]!]!
  return waiting
}
