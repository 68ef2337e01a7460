// What flows between two nodes, in a sentence.

import type { PlacementEdge, PlacementNode } from '@millrace/protocol'

interface Told {
  readonly edge: PlacementEdge
  readonly from: Pick<PlacementNode, 'label' | 'kind'>
  readonly to: Pick<PlacementNode, 'label' | 'kind'>
}

/** As the server writes a capacity that nobody bounded. */
const unbounded = 1e9

export function capacityText(capacity: number): string {
  return capacity >= unbounded ? 'any number' : capacity.toLocaleString('en')
}

export function slotsText(slots: number): string {
  return slots === 1 ? '1 slot' : `${slots} slots`
}

export function bandSentence({ edge, from, to }: Told, words?: string): string {
  const { flow, capacity } = edge
  const jobs = flow === 1 ? '1 job flows' : `${flow.toLocaleString('en')} jobs flow`
  const narrow = words === undefined ? '' : `; here it is narrow: ${words}`
  return `${from.label} to ${to.label}: ${jobs}, ${capacityText(capacity)} could${narrow}.`
}
