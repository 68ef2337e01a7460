// Finds one augmenting path between two nodes of a flow graph and pushes along it. It searches from both ends at once:
// from one end, half of a saturated graph lies within three steps.

import type { FlowGraph } from './flow-graph.ts'

export class WaySearch {
  private readonly graph: FlowGraph
  private readonly barred: Uint8Array
  private readonly ahead: Side
  private readonly behind: Side
  private round = 0

  constructor(graph: FlowGraph) {
    this.graph = graph
    this.barred = new Uint8Array(graph.to.length)
    this.ahead = new Side(graph.nodeCount)
    this.behind = new Side(graph.nodeCount)
  }

  /** Nothing moves over the edge any more, in neither direction. */
  bar(edge: number): void {
    this.barred[edge] = 1
    this.barred[edge ^ 1] = 1
  }

  /** Pushes as much as one path past the node `avoid` takes, at most `wanted`; 0 when there is no path. */
  push(from: number, to: number, wanted: number, avoid: number = -1): number {
    const meeting = this.meet(from, to, avoid)
    if (meeting < 0) return 0
    const { graph, ahead, behind } = this
    let amount = wanted
    for (let node = meeting; node !== from; node = graph.to[ahead.by[node]! ^ 1]!) {
      amount = Math.min(amount, graph.residual[ahead.by[node]!]!)
    }
    for (let node = meeting; node !== to; node = graph.to[behind.by[node]!]!) {
      amount = Math.min(amount, graph.residual[behind.by[node]!]!)
    }
    for (let node = meeting; node !== from; node = graph.to[ahead.by[node]! ^ 1]!) {
      graph.push(ahead.by[node]!, amount)
    }
    for (let node = meeting; node !== to; node = graph.to[behind.by[node]!]!) {
      graph.push(behind.by[node]!, amount)
    }
    return amount
  }

  /** The node at which the two searches meet, or −1. Whichever has fewer nodes to look at goes on. */
  private meet(from: number, to: number, avoid: number): number {
    const { ahead, behind } = this
    this.round += 1
    if (avoid >= 0) {
      ahead.seen[avoid] = this.round
      behind.seen[avoid] = this.round
    }
    ahead.start(from, this.round)
    behind.start(to, this.round)
    while (ahead.begin < ahead.end && behind.begin < behind.end) {
      const meeting =
        ahead.end - ahead.begin <= behind.end - behind.begin
          ? this.step(ahead, behind, 0)
          : this.step(behind, ahead, 1)
      if (meeting >= 0) return meeting
    }
    return -1
  }

  /** Looks at one node; `flip` is 1 for the search that goes against the edges. */
  private step(side: Side, other: Side, flip: number): number {
    const { begin, out, outTo, residual } = this.graph
    const node = side.queue[side.begin++]!
    for (let at = begin[node]!; at < begin[node + 1]!; at++) {
      const target = outTo[at]!
      if (side.seen[target] === this.round) continue
      const edge = out[at]!
      if (residual[edge ^ flip] === 0 || this.barred[edge] === 1) continue
      side.seen[target] = this.round
      side.by[target] = edge ^ flip
      if (other.seen[target] === this.round) return target
      side.queue[side.end++] = target
    }
    return -1
  }
}

class Side {
  readonly seen: Int32Array
  readonly by: Int32Array
  readonly queue: Int32Array
  begin = 0
  end = 0

  constructor(nodeCount: number) {
    this.seen = new Int32Array(nodeCount)
    this.by = new Int32Array(nodeCount)
    this.queue = new Int32Array(nodeCount)
  }

  start(node: number, round: number): void {
    this.seen[node] = round
    this.queue[0] = node
    this.begin = 0
    this.end = 1
  }
}
