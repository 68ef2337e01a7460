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
  'pool sink': 'all slots busy',
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

export function reasonWords({ reason, sentence }: Pick<WaitingClass, 'reason' | 'sentence'>): string {
  return byReason[reason] ?? sentence
}

export function narrowsOf({ nodes, edges, waiting }: Drawn): readonly Narrow[] {
  if (waiting.length === 0) return []
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]))
  return edges.flatMap((edge) => {
    const [from, to] = [kinds.get(edge.from), kinds.get(edge.to)]
    if (!edge.cut || from === undefined || to === undefined) return []
    const words = byPlace[`${from} ${to}`]
    return words === undefined ? [] : [{ edge, words }]
  })
}

/** Where nothing leads on there is no edge to be red: the class itself says why it stops. */
export function stopsOf({ nodes, edges, waiting }: Drawn): ReadonlyMap<string, string> {
  const leaves = new Set(edges.map(({ from }) => from))
  const stops = new Map<string, string>()
  for (const node of nodes) {
    if (node.kind !== 'class' || leaves.has(node.id)) continue
    const why = waiting.find(
      ({ room, scope, category, extension, hash }) =>
        room === node.room &&
        scope === node.scope &&
        category === node.category &&
        extension === node.extension &&
        hash === node.hash,
    )
    if (why) stops.set(node.id, reasonWords(why))
  }
  return stops
}
