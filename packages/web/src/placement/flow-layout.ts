// Where the nodes and bands of the picture lie. A band is as wide as what may flow, and solid as far as it does.

import type { PlacementEdge, PlacementNode } from '@millrace/protocol'
import { type SankeyLink, type SankeyNode, sankey, sankeyLinkHorizontal } from 'd3-sankey'
import type { Network } from './trim-network.ts'

export interface LaidNode {
  readonly node: PlacementNode
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly isLast: boolean
}

export interface LaidBand {
  readonly edge: PlacementEdge
  readonly from: PlacementNode
  readonly to: PlacementNode
  readonly path: string
  readonly width: number
  readonly flowWidth: number
  readonly middle: { readonly x: number; readonly y: number }
}

export interface Laid {
  readonly width: number
  readonly height: number
  readonly nodes: readonly LaidNode[]
  readonly bands: readonly LaidBand[]
}

const columns: readonly PlacementNode['kind'][] = ['source', 'room', 'class', 'extension', 'pool', 'sink']
const nodeWidth = 11
const rowHeight = 46
/** A few jobs make thin bands, not as thick ones as many. */
const thinHeight = 64
const heightOfJob = 14
const fullHeight = 240
const aside = 4

interface Weight {
  readonly edge: PlacementEdge
}

type LaidOutNode = SankeyNode<{ readonly node: PlacementNode }, Weight>
type LaidOutLink = SankeyLink<{ readonly node: PlacementNode }, Weight>

export function layFlow({ nodes, edges }: Network, width: number): Laid {
  const present = columns.filter((kind) => nodes.some((node) => node.kind === kind))
  const tallest = Math.max(1, ...present.map((kind) => nodes.filter((node) => node.kind === kind).length))
  const demand = Math.max(1, sumOf(edges.filter(({ from }) => from === 'source')))
  const height = Math.max(tallest * rowHeight, Math.min(fullHeight, thinHeight + demand * heightOfJob))
  const lay = sankey<{ readonly node: PlacementNode }, Weight>()
    .nodeId(({ node }) => node.id)
    .nodeAlign(({ node }) => present.indexOf(node.kind))
    .nodeWidth(nodeWidth)
    .nodePadding(Math.min(26, (height / tallest) * 0.55))
    .extent([
      [aside, 8],
      [width - aside, height - 8],
    ])
  const known = new Set(nodes.map(({ id }) => id))
  const graph = lay({
    nodes: nodes.map((node) => ({ node })),
    links: edges
      .filter(({ from, to }) => known.has(from) && known.has(to))
      .map((edge) => ({ source: edge.from, target: edge.to, value: weightOf(edge, demand), edge })),
  })
  return {
    width,
    height,
    nodes: graph.nodes.map((one) => laidNode(one, present.at(-1))),
    bands: graph.links.map(laidBand),
  }
}

/** What nothing flows through is still to be seen and pointed at; what could carry everything is no wider than that. */
function weightOf({ flow, capacity }: PlacementEdge, demand: number): number {
  return Math.max(flow, Math.min(capacity, demand), demand * 0.03)
}

function sumOf(edges: readonly PlacementEdge[]): number {
  return edges.reduce((sum, { flow, capacity }) => sum + Math.max(flow, capacity), 0)
}

function laidNode(
  { node, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }: LaidOutNode,
  last: PlacementNode['kind'] | undefined,
): LaidNode {
  return { node, x: x0, y: y0, width: x1 - x0, height: Math.max(3, y1 - y0), isLast: node.kind === last }
}

const pathOf = sankeyLinkHorizontal<{ readonly node: PlacementNode }, Weight>()

function laidBand(link: LaidOutLink): LaidBand {
  const { edge, value, width = 1, y0 = 0, y1 = 0 } = link
  const [from, to] = [link.source as LaidOutNode, link.target as LaidOutNode]
  return {
    edge,
    from: from.node,
    to: to.node,
    path: pathOf(link) ?? '',
    width: Math.max(1.5, width),
    flowWidth: (edge.flow / value) * width,
    middle: { x: ((from.x1 ?? 0) + (to.x0 ?? 0)) / 2, y: (y0 + y1) / 2 },
  }
}
