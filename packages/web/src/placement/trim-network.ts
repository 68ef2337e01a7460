// A network that can be looked at: of each kind the nodes with the most to do, and the others as one.

import type { PlacementEdge, PlacementNode } from '@millrace/protocol'

export interface Network {
  readonly nodes: readonly PlacementNode[]
  readonly edges: readonly PlacementEdge[]
}

const others = {
  source: 'jobs',
  room: 'more rooms',
  class: 'more jobs',
  extension: 'more limits',
  pool: 'more workers',
  sink: 'slots',
} as const

export function trimNetwork({ nodes, edges }: Network, mostOfAKind: number): Network {
  const weight = new Map<string, number>()
  for (const { from, to, flow, capacity } of edges) {
    // What flows counts before what merely could.
    const busy = flow * 1_000 + capacity
    weight.set(from, (weight.get(from) ?? 0) + busy)
    weight.set(to, (weight.get(to) ?? 0) + busy)
  }
  const folded = new Map<string, string>()
  const kept: PlacementNode[] = []
  for (const kind of Object.keys(others) as (keyof typeof others)[]) {
    const alike = nodes.filter((node) => node.kind === kind)
    const sorted = alike.toSorted((a, b) => (weight.get(b.id) ?? 0) - (weight.get(a.id) ?? 0))
    const most = alike.length > mostOfAKind ? mostOfAKind - 1 : mostOfAKind
    kept.push(...sorted.slice(0, most))
    const rest = sorted.slice(most)
    if (rest.length === 0) continue
    const id = `others ${kind}`
    kept.push({ id, kind, label: `${rest.length} ${others[kind]}`, hidden: false })
    for (const node of rest) folded.set(node.id, id)
  }
  return { nodes: kept, edges: joinEdges(edges, folded) }
}

/** Workers that none of these jobs could go to say nothing about them. */
export function withoutIdle<Drawn extends Network>(drawn: Drawn): Drawn {
  const reached = new Set(drawn.edges.map(({ to }) => to))
  const idle = new Set(
    drawn.nodes.filter(({ id, kind }) => kind === 'pool' && !reached.has(id)).map(({ id }) => id),
  )
  return {
    ...drawn,
    nodes: drawn.nodes.filter(({ id }) => !idle.has(id)),
    edges: drawn.edges.filter(({ from }) => !idle.has(from)),
  }
}

function joinEdges(
  edges: readonly PlacementEdge[],
  folded: ReadonlyMap<string, string>,
): readonly PlacementEdge[] {
  const joined = new Map<string, PlacementEdge>()
  for (const edge of edges) {
    const [from, to] = [folded.get(edge.from) ?? edge.from, folded.get(edge.to) ?? edge.to]
    const name = `${from}\n${to}`
    const before = joined.get(name) ?? { flow: 0, capacity: 0, cut: false }
    joined.set(name, {
      from,
      to,
      flow: before.flow + edge.flow,
      capacity: before.capacity + edge.capacity,
      cut: before.cut || edge.cut,
    })
  }
  return [...joined.values()]
}
