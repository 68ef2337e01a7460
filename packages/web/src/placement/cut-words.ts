// Where it is narrow, in words. A cut is only worth a word where something waits: otherwise it goes through the demand, and
// everything flows.

import type { PlacementEdge, PlacementNode, WaitingClass } from '@millrace/protocol'

type Kind = PlacementNode['kind']

/** What is drawn of a pass, and what waited after it. */
export interface Drawn {
  readonly nodes: readonly PlacementNode[]
  readonly edges: readonly PlacementEdge[]
  readonly waiting: readonly WaitingClass[]
}

export interface Narrow {
  readonly edge: PlacementEdge
  readonly words: string
}

/** What the cut means on the way from one kind of node to another, where the reasons of the jobs do not say it better. */
const byPlace: Partial<Record<`${Kind} ${Kind}`, string>> = {
  'source room': "the room's limit is reached",
  'class extension': "the extension's limit is reached",
  'class pool': 'no worker of this shape has room',
  'extension pool': 'no worker of this shape has room',
}

const byReason: Readonly<Record<string, string>> = {
  no_worker: 'no worker serves it',
  label_mismatch: 'no worker has the label',
  not_enough: 'no worker is large enough',
  workers_unavailable: 'its workers take nothing new',
  all_slots_busy: 'all slots busy',
  kept_for_short: 'free slots are kept for short jobs',
  room_limit: "the room's limit is reached",
  extension_limit: "the extension's limit is reached",
  global_limit: 'the limit over all rooms is reached',
  start_limit: 'only so many begin at a time',
  breaker_open: 'stopped: it kept failing',
  breaker_probing: 'one job is being tried',
  paused: 'paused',
}

function reasonWords({ reason, sentence }: Pick<WaitingClass, 'reason' | 'sentence'>): string {
  return byReason[reason] ?? sentence
}

export function narrowsOf({ nodes, edges, waiting }: Drawn): readonly Narrow[] {
  if (waiting.length === 0) return []
  const known = new Map(nodes.map((node) => [node.id, node]))
  const reasons = new Set(waiting.map(({ reason }) => reason))
  return edges.flatMap((edge) => {
    const [from, to] = [known.get(edge.from), known.get(edge.to)]
    if (!edge.cut || !from || !to) return []
    const words = to.kind === 'sink' ? slotWords(from, edge, reasons) : byPlace[`${from.kind} ${to.kind}`]
    return words === undefined ? [] : [{ edge, words }]
  })
}

/** Why workers take no more: it need not be that all their slots are taken. */
function slotWords(
  { freeSlots = 0 }: PlacementNode,
  { flow, capacity }: PlacementEdge,
  reasons: ReadonlySet<string>,
): string | undefined {
  if (reasons.has('global_limit')) return byReason['global_limit']
  if (freeSlots === 0 || flow >= freeSlots) return byReason['all_slots_busy']
  if (capacity === 0) return 'takes nothing new'
  return byReason[reasons.has('kept_for_short') ? 'kept_for_short' : 'all_slots_busy']
}

/** How many wait, by the node of their class. */
export function waitsOf(drawn: Drawn): ReadonlyMap<string, number> {
  return new Map([...waitingNodes(drawn)].map(([id, { count }]) => [id, count]))
}

/** Where nothing leads on there is no edge to be red: the class itself says why it stops. */
export function stopsOf(drawn: Drawn): ReadonlyMap<string, string> {
  const leaves = new Set(drawn.edges.map(({ from }) => from))
  const stuck = [...waitingNodes(drawn)].filter(([id]) => !leaves.has(id))
  return new Map(stuck.map(([id, waiting]) => [id, reasonWords(waiting)]))
}

type ClassName = Pick<WaitingClass, 'room' | 'scope' | 'category' | 'extension' | 'hash'>

function waitingNodes({ nodes, waiting }: Drawn): ReadonlyMap<string, WaitingClass> {
  const byName = new Map(waiting.map((one) => [nameOf(one), one]))
  const found = new Map<string, WaitingClass>()
  for (const node of nodes) {
    const one = node.kind === 'class' ? byName.get(nameOf(node)) : undefined
    if (one) found.set(node.id, one)
  }
  return found
}

function nameOf({ room, scope, category, extension, hash }: Partial<ClassName>): string {
  return [room, scope, category, extension, hash].join(' ')
}
