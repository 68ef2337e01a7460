// An outlet is where classes meet pools: the class itself, or, for an extension with a limit of its own, a gate that
// its alike classes share. The gate's edge is the limit.

import { dealTurns } from './deal-turns.ts'
import type { FlowGraph } from './flow-graph.ts'
import { dimensions, headroom, type Problem } from './problem.ts'
import type { Stock } from './stock.ts'

export interface Outlet {
  readonly classes: readonly number[]
  readonly gate: Gate | null
  readonly pools: readonly number[]
  /** The edge to the first of the pools; see `arcOf` for the others. */
  readonly firstArc: number
}

/** The edge that leads to the pool at that position: they were added one after the other. */
export function arcOf({ firstArc }: Outlet, position: number): number {
  return firstArc + 2 * position
}

export interface Gate {
  readonly node: number
  readonly edge: number
  readonly extension: string
  /** The edges from each of the outlet's classes, in their order. */
  readonly entries: readonly number[]
}

export interface OutletGroup {
  readonly classes: readonly number[]
  /** How many may start through it; null: as many as there are. */
  readonly limit: number | null
}

/** Where an outlet is built: the number of its first class's node, two nodes for its gate, the node of each pool. */
export interface OutletSite {
  readonly classNode: number
  readonly gateNode: number
  readonly poolNodes: Int32Array
}

/**
 * Classes of a limited extension share a gate when they are alike. Where they are not (two schema hashes alive), what
 * the limit leaves is dealt among the gates beforehand: one flow cannot hold a sum over branches that lead to
 * different pools.
 */
export function outletGroups(problem: Problem): OutletGroup[] {
  const groups: OutletGroup[] = []
  const gated = new Map<string, Map<string, number[]>>()
  for (const [one, { extension }] of problem.classes.entries()) {
    if (extensionHeadroom(problem, extension) === null) {
      groups.push({ classes: [one], limit: null })
      continue
    }
    const shapes = gated.get(extension) ?? new Map<string, number[]>()
    const shape = shapeOf(problem, one)
    gated.set(extension, shapes.set(shape, [...(shapes.get(shape) ?? []), one]))
  }
  for (const [extension, shapes] of gated) {
    const alike = [...shapes.values()]
    const takers = alike.map((classes, rank) => ({
      standing: 0,
      weight: 1,
      most: offeredBy(problem, classes),
      rank,
    }))
    const shares = dealTurns(takers, extensionHeadroom(problem, extension)!)
    groups.push(...alike.map((classes, index) => ({ classes, limit: shares[index]! })))
  }
  return groups
}

/** A breaker that is half open lets one job of the extension through, whichever room it is in. */
export function extensionHeadroom({ extensions }: Problem, extension: string): number | null {
  const limit = extensions.get(extension)
  if (limit === undefined) return null
  const left = headroom(limit.maxRunning, limit.running)
  return limit.breaker?.state === 'half_open' ? Math.min(1, left ?? 1) : left
}

export function addOutlet(
  problem: Problem,
  stock: Stock,
  graph: FlowGraph,
  { classes, limit }: OutletGroup,
  site: OutletSite,
): Outlet {
  const first = classes[0]!
  const gate = limit === null ? null : addGate(problem, graph, classes, limit, site)
  const from = gate === null ? site.classNode + first : site.gateNode + 1
  const pools = problem.capablePools[first]!
  let firstArc = -1
  for (const pool of pools) {
    let fitting = 0
    for (const worker of problem.pools[pool]!.members) fitting += stock.fits(first, worker)
    const arc = graph.addEdge(from, site.poolNodes[pool]!, fitting)
    if (firstArc < 0) firstArc = arc
  }
  return { classes, gate, pools, firstArc }
}

function addGate(
  problem: Problem,
  graph: FlowGraph,
  classes: readonly number[],
  limit: number,
  { classNode, gateNode }: OutletSite,
): Gate {
  const entries = classes.map((one) => graph.addEdge(classNode + one, gateNode, problem.offered[one]!))
  const edge = graph.addEdge(gateNode, gateNode + 1, limit)
  return { node: gateNode, edge, extension: problem.classes[classes[0]!]!.extension, entries }
}

function shapeOf({ classes, needs }: Problem, one: number): string {
  const { ability, addressee, short, needs: chosen } = classes[one]!
  const row = needs.subarray(one * dimensions, (one + 1) * dimensions)
  return JSON.stringify([
    ability,
    addressee ?? null,
    short === true,
    [...(chosen?.labels ?? [])].sort(),
    ...row,
  ])
}

function offeredBy({ offered }: Problem, classes: readonly number[]): number {
  return classes.reduce((sum, one) => sum + offered[one]!, 0)
}
