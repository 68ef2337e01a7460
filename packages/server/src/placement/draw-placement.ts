// The network of a pass as somebody may see it. Jobs of rooms they may not see are left out; where such jobs take slots
// that they do see, these flow from nodes without a name, with what flows and nothing of what waits.

import {
  drawFlow,
  type FlowEdge,
  type FlowNode,
  groupPools,
  type PlacementSnapshot,
  type Scope,
  type WorkerSupply,
} from '@millrace/domain'
import { partsOf } from './class-book.ts'
import type { Drawing } from './pass-book.ts'
import { homeOf, type Sight } from './placement-sight.ts'

export interface ClassName {
  readonly room: string
  readonly scope: Scope
  readonly category: string
  readonly extension: string
  readonly hash: string
}

export interface DrawnNode extends Partial<ClassName> {
  readonly id: string
  readonly kind: FlowNode['kind']
  readonly label: string
  readonly hidden: boolean
  readonly workers?: readonly string[]
  readonly workerCount?: number
  readonly slots?: number
  readonly freeSlots?: number
}

export interface DrawnEdge {
  readonly from: string
  readonly to: string
  readonly flow: number
  readonly capacity: number
  readonly cut: boolean
}

export interface DrawnNetwork {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
}

const workersNamed = 20

export function classNameOf(key: string): ClassName {
  const end = key.indexOf(' ')
  const { id, hash } = partsOf(key.slice(end + 1))
  return { room: key.slice(0, end), scope: id.scope, category: id.category, extension: id.name, hash }
}

export function drawPlacement({ snapshot, plan }: Drawing, sight: Sight): DrawnNetwork {
  const naming = new Naming(snapshot, sight)
  const edges = new EdgeSum()
  const aside = { flow: 0, intoHidden: 0, hiddenCut: false }
  // The flow is told from its source to its sink, so every way into a pool comes before the way out of it.
  const reached = new Set<string>()
  for (const edge of drawFlow(snapshot, plan)) {
    const [from, to] = [naming.nodeOf(edge.from), naming.nodeOf(edge.to)]
    if (!from.hidden && !to.hidden) edges.add(from, to, edge)
    else if (!from.hidden && to.kind === 'pool') {
      edges.add(from, to, edge)
      reached.add(edge.to.key)
      aside.intoHidden += edge.flow
    } else if (from.kind === 'pool') aside.hiddenCut ||= edge.cut && reached.has(edge.from.key)
    else if (from.hidden && !to.hidden && edge.flow > 0) {
      edges.add(naming.hidden('class'), to, { ...edge, capacity: edge.flow, cut: false })
      aside.flow += edge.flow
    }
  }
  const { source, sink } = naming
  const through = (flow: number, cut: boolean) => ({ flow, capacity: flow, cut })
  if (aside.flow > 0) {
    edges.add(source, naming.hidden('room'), through(aside.flow, false))
    edges.add(naming.hidden('room'), naming.hidden('class'), through(aside.flow, false))
  }
  if (reached.size > 0) edges.add(naming.hidden('pool'), sink, through(aside.intoHidden, aside.hiddenCut))
  return edges.network()
}

/** Edges between the same two nodes as one. */
class EdgeSum {
  readonly #nodes = new Map<string, DrawnNode>()
  readonly #edges = new Map<string, DrawnEdge>()

  add(
    from: DrawnNode,
    to: DrawnNode,
    { flow, capacity, cut }: Pick<FlowEdge, 'flow' | 'capacity' | 'cut'>,
  ): void {
    this.#nodes.set(from.id, from)
    this.#nodes.set(to.id, to)
    const name = `${from.id}\n${to.id}`
    const before = this.#edges.get(name) ?? { flow: 0, capacity: 0, cut: false }
    this.#edges.set(name, {
      from: from.id,
      to: to.id,
      flow: before.flow + flow,
      capacity: before.capacity + capacity,
      cut: before.cut || cut,
    })
  }

  network(): DrawnNetwork {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] }
  }
}

/** Nodes of the flow as nodes of the picture. */
class Naming {
  readonly source: DrawnNode = { id: 'source', kind: 'source', label: 'jobs', hidden: false }
  readonly sink: DrawnNode = { id: 'sink', kind: 'sink', label: 'slots', hidden: false }
  readonly #sight: Sight
  readonly #pools: ReadonlyMap<string, readonly WorkerSupply[]>
  /** Extensions with a limit that a room in sight has jobs of. */
  readonly #extensions: ReadonlySet<string>
  readonly #known = new Map<string, DrawnNode>()

  constructor(snapshot: PlacementSnapshot, sight: Sight) {
    this.#sight = sight
    this.#pools = poolsOf(snapshot)
    const inSight = snapshot.classes.filter(({ room }) => sight.room(room))
    this.#extensions = new Set(inSight.map(({ extension }) => extension))
  }

  nodeOf({ kind, key }: FlowNode): DrawnNode {
    const name = `${kind} ${key}`
    const known = this.#known.get(name) ?? this.#make(kind, key)
    this.#known.set(name, known)
    return known
  }

  hidden(kind: 'room' | 'class' | 'pool'): DrawnNode {
    const labels = { room: 'other rooms', class: 'other jobs', pool: 'other workers' }
    return { id: `hidden ${kind}`, kind, label: labels[kind], hidden: true }
  }

  #make(kind: FlowNode['kind'], key: string): DrawnNode {
    switch (kind) {
      case 'source':
        return this.source
      case 'sink':
        return this.sink
      case 'room':
        if (!this.#sight.room(key)) return this.hidden('room')
        return { id: `room ${key}`, kind, label: key, hidden: false, room: key }
      case 'class': {
        const name = classNameOf(key)
        if (!this.#sight.room(name.room)) return this.hidden('class')
        return { id: `class ${key}`, kind, label: name.extension, hidden: false, ...name }
      }
      case 'extension':
        return this.#extensions.has(key) ? limited(key) : this.hidden('class')
      case 'pool':
        return this.#pool(key)
    }
  }

  #pool(key: string): DrawnNode {
    const members = this.#pools.get(key) ?? []
    const seen = members.filter((worker) => this.#sight.worker(worker))
    const [first] = seen
    if (!first) return this.hidden('pool')
    const sum = (slots: (worker: WorkerSupply) => number): number =>
      members.reduce((total, worker) => total + slots(worker), 0)
    return {
      id: `pool ${first.id}`,
      kind: 'pool',
      label: members.length === 1 ? first.id : `${members.length} workers`,
      hidden: false,
      workers: seen.slice(0, workersNamed).map(({ id }) => id),
      workerCount: members.length,
      slots: sum(({ total }) => total.slots),
      freeSlots: sum(({ free }) => free.slots),
    }
  }
}

function limited(key: string): DrawnNode {
  const home = homeOf(key)
  const [scope = '', category = '', extension = ''] = (
    home === null ? key : key.slice(home.length + 1)
  ).split('/')
  return {
    id: `extension ${key}`,
    kind: 'extension',
    label: extension,
    hidden: false,
    scope: scope as Scope,
    category,
    extension,
    ...(home !== null && { room: home }),
  }
}

/** As the plan grouped them, by the same key. */
function poolsOf({ workers, classes }: PlacementSnapshot): ReadonlyMap<string, readonly WorkerSupply[]> {
  const sorted = [...workers].sort((a, b) => (a.id < b.id ? -1 : 1))
  const alone = new Set(classes.flatMap(({ addressee }) => addressee ?? []))
  const { pools } = groupPools(sorted, alone)
  return new Map(pools.map(({ key, members }) => [key, members.map((at) => sorted[at] as WorkerSupply)]))
}
