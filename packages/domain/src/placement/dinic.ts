// Dinic's maximum flow. It continues from whatever already flows, and stops early once the wanted amount is reached,
// which spares the last breadth-first search when everybody is satisfied.

import { type FlowGraph, unlimited } from './flow-graph.ts'

export class Dinic {
  private readonly graph: FlowGraph
  private readonly source: number
  private readonly sink: number
  private readonly level: Int32Array
  private readonly cursor: Int32Array
  private readonly queue: Int32Array
  private readonly path: Int32Array

  constructor(graph: FlowGraph, source: number, sink: number) {
    this.graph = graph
    this.source = source
    this.sink = sink
    this.level = new Int32Array(graph.nodeCount)
    this.cursor = new Int32Array(graph.begin.length)
    this.queue = new Int32Array(graph.nodeCount)
    this.path = new Int32Array(graph.nodeCount)
  }

  /** Adds as much flow as there is room for, at most `wanted`, and says how much that was. */
  augment(wanted: number = unlimited): number {
    let added = 0
    while (added < wanted && this.layer()) {
      this.cursor.set(this.graph.begin)
      added += this.block(wanted - added)
    }
    return added
  }

  /**
   * After an `augment` that fell short: 1 for every node on the source's side of the minimum cut. Of all minimum cuts
   * it is the one nearest to the source, so it names no node that has nothing to do with the shortage.
   */
  sourceSide(): Uint8Array {
    const { nodeCount, begin, out, outTo, residual } = this.graph
    const side = new Uint8Array(nodeCount)
    side[this.source] = 1
    this.queue[0] = this.source
    let end = 1
    for (let head = 0; head < end; head++) {
      const node = this.queue[head]!
      for (let at = begin[node]!; at < begin[node + 1]!; at++) {
        const target = outTo[at]!
        if (side[target] === 1 || residual[out[at]!] === 0) continue
        side[target] = 1
        this.queue[end++] = target
      }
    }
    return side
  }

  /**
   * Levels are distances to the sink. Near saturation few nodes still have a way there, so this looks at a small part
   * of what a search from the source would.
   */
  private layer(): boolean {
    const { begin, out, outTo, residual } = this.graph
    const { level, queue, source } = this
    level.fill(-1)
    level[this.sink] = 0
    queue[0] = this.sink
    let end = 1
    for (let head = 0; head < end; head++) {
      const node = queue[head]!
      const above = level[node]! + 1
      for (let at = begin[node]!; at < begin[node + 1]!; at++) {
        const target = outTo[at]!
        if (level[target]! >= 0 || residual[out[at]! ^ 1] === 0) continue
        level[target] = above
        if (target === source) return true
        queue[end++] = target
      }
    }
    return false
  }

  /** A blocking flow of the layered graph. A node found to lead nowhere loses its level, so it is tried once. */
  private block(wanted: number): number {
    const { to } = this.graph
    const { level, path, source, sink } = this
    let added = 0
    let depth = 0
    let node = source
    while (added < wanted) {
      if (node === sink) {
        const amount = this.bottleneck(depth, wanted - added)
        depth = this.pushPath(depth, amount)
        added += amount
        node = to[path[depth]! ^ 1]!
        continue
      }
      const edge = this.admissible(node)
      if (edge >= 0) {
        path[depth++] = edge
        node = to[edge]!
        continue
      }
      if (node === source) break
      level[node] = -1
      node = to[path[--depth]! ^ 1]!
    }
    return added
  }

  private admissible(node: number): number {
    const { begin, out, outTo, residual } = this.graph
    const { level, cursor } = this
    const below = level[node]! - 1
    const end = begin[node + 1]!
    for (let at = cursor[node]!; at < end; at++) {
      if (level[outTo[at]!]! !== below || residual[out[at]!] === 0) continue
      cursor[node] = at
      return out[at]!
    }
    cursor[node] = end
    return -1
  }

  private bottleneck(depth: number, wanted: number): number {
    let amount = wanted
    for (let step = 0; step < depth; step++) {
      const room = this.graph.residual[this.path[step]!]!
      if (room < amount) amount = room
    }
    return amount
  }

  /** Answers the depth of the first edge that is now full: the search goes on from its beginning. */
  private pushPath(depth: number, amount: number): number {
    let full = 0
    for (let step = depth - 1; step >= 0; step--) {
      const edge = this.path[step]!
      this.graph.push(edge, amount)
      if (this.graph.residual[edge] === 0) full = step
    }
    return full
  }
}
