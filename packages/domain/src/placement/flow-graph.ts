// A flow network in typed arrays. Edge e and its reverse e ^ 1 lie side by side, so what flows over e is the residual
// of e ^ 1 and every augmentation can be taken back without bookkeeping.

/** More than any number of jobs, and small enough that engines keep it, and a sum of two, as a machine integer. */
export const unlimited: number = 1_000_000_000

export class FlowGraph {
  readonly nodeCount: number
  readonly to: Int32Array
  readonly residual: Int32Array
  /** The edges that leave node n are `out[begin[n]]` up to before `out[begin[n + 1]]`, once the graph is sealed. */
  readonly begin: Int32Array
  readonly out: Int32Array
  /** Where `out[i]` leads: searches read it in one sweep, and look at an edge only when its end is news to them. */
  readonly outTo: Int32Array
  private edgeEnd = 0

  constructor(nodeCount: number, edgeCount: number) {
    this.nodeCount = nodeCount
    this.to = new Int32Array(2 * edgeCount)
    this.residual = new Int32Array(2 * edgeCount)
    this.begin = new Int32Array(nodeCount + 1)
    this.out = new Int32Array(2 * edgeCount)
    this.outTo = new Int32Array(2 * edgeCount)
  }

  addEdge(from: number, to: number, capacity: number): number {
    const edge = this.edgeEnd
    this.edgeEnd += 2
    this.to[edge] = to
    this.to[edge + 1] = from
    this.residual[edge] = capacity
    return edge
  }

  /** Lists the edges by the node they leave. No edge may be added afterwards. */
  seal(): void {
    const { begin, out, outTo, to, edgeEnd } = this
    for (let edge = 0; edge < edgeEnd; edge++) begin[to[edge ^ 1]! + 1]! += 1
    for (let node = 0; node < this.nodeCount; node++) begin[node + 1]! += begin[node]!
    const next = begin.slice()
    for (let edge = 0; edge < edgeEnd; edge++) {
      const from = to[edge ^ 1]!
      out[next[from]!] = edge
      outTo[next[from]!] = to[edge]!
      next[from]! += 1
    }
  }

  flowOf(edge: number): number {
    return this.residual[edge ^ 1]!
  }

  capacityOf(edge: number): number {
    return this.residual[edge]! + this.residual[edge ^ 1]!
  }

  /** Never below what already flows: a capacity cannot un-serve anybody. */
  setCapacity(edge: number, capacity: number): void {
    this.residual[edge] = Math.max(0, capacity - this.flowOf(edge))
  }

  push(edge: number, amount: number): void {
    this.residual[edge]! -= amount
    this.residual[edge ^ 1]! += amount
  }
}
