import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dinic } from './dinic.ts'
import { FlowGraph } from './flow-graph.ts'

interface Arc {
  readonly from: number
  readonly to: number
  readonly capacity: number
}

const networks = fc.integer({ min: 2, max: 12 }).chain((nodes) => {
  const node = fc.nat({ max: nodes - 1 })
  const arc = fc.record({ from: node, to: node, capacity: fc.nat({ max: 20 }) })
  return fc.record({ nodes: fc.constant(nodes), arcs: fc.array(arc, { maxLength: 50 }) })
})

function graphOf(nodes: number, arcs: readonly Arc[]): { graph: FlowGraph; edges: number[] } {
  const graph = new FlowGraph(nodes, arcs.length)
  const edges = arcs.map(({ from, to, capacity }) => graph.addEdge(from, to, capacity))
  graph.seal()
  return { graph, edges }
}

/** The oracle: shortest augmenting paths on a capacity matrix, written without a thought for speed. */
function edmondsKarp(nodes: number, arcs: readonly Arc[]): number {
  const left = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(0))
  for (const { from, to, capacity } of arcs) left[from]![to]! += capacity
  for (let total = 0; ; ) {
    const before = new Map<number, number>([[0, 0]])
    for (const node of before.keys()) {
      for (let to = 0; to < nodes; to++) if (left[node]![to]! > 0 && !before.has(to)) before.set(to, node)
    }
    if (!before.has(1)) return total
    let amount = Number.POSITIVE_INFINITY
    for (let node = 1; node !== 0; node = before.get(node)!) {
      amount = Math.min(amount, left[before.get(node)!]![node]!)
    }
    for (let node = 1; node !== 0; node = before.get(node)!) {
      left[before.get(node)!]![node]! -= amount
      left[node]![before.get(node)!]! += amount
    }
    total += amount
  }
}

describe('dinic', () => {
  it('[P2] the flow is as large as that of Edmonds-Karp on 1,000 random networks', () => {
    fc.assert(
      fc.property(networks, ({ nodes, arcs }) => {
        const { graph } = graphOf(nodes, arcs)
        expect(new Dinic(graph, 0, 1).augment()).toBe(edmondsKarp(nodes, arcs))
      }),
      { numRuns: 1_000, seed: 20261115 },
    )
  })

  it('[P2] the flow is kept within every capacity and conserved at every node', () => {
    fc.assert(
      fc.property(networks, fc.nat({ max: 30 }), ({ nodes, arcs }, wanted) => {
        const { graph, edges } = graphOf(nodes, arcs)
        const added = new Dinic(graph, 0, 1).augment(wanted)
        const balance = new Array<number>(nodes).fill(0)
        for (const [index, { from, to, capacity }] of arcs.entries()) {
          const flow = graph.flowOf(edges[index]!)
          expect(flow).toBeGreaterThanOrEqual(0)
          expect(flow).toBeLessThanOrEqual(capacity)
          balance[from]! -= flow
          balance[to]! += flow
        }
        expect(balance).toEqual(balance.map((_, node) => (node === 0 ? 0 - added : node === 1 ? added : 0)))
        expect(added).toBeLessThanOrEqual(wanted)
      }),
      { numRuns: 300, seed: 20261115 },
    )
  })

  it('[P2] the flow that fell short equals the capacity of the cut it names', () => {
    fc.assert(
      fc.property(networks, ({ nodes, arcs }) => {
        const { graph } = graphOf(nodes, arcs)
        const dinic = new Dinic(graph, 0, 1)
        const added = dinic.augment()
        const side = dinic.sourceSide()
        const across = arcs.filter(({ from, to }) => side[from] === 1 && side[to] === 0)
        expect(across.reduce((sum, { capacity }) => sum + capacity, 0)).toBe(added)
      }),
      { numRuns: 300, seed: 20261115 },
    )
  })
})
