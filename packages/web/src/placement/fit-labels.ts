// The words beside the nodes, shortened or left away where they would run into what stands next to them. Words of the cut
// go first, then workers and slots, which are read from the right; rooms and jobs take what is left.

import type { LaidNode } from './flow-layout.ts'

export interface Label {
  readonly x: number
  readonly anchor: 'start' | 'end'
  /** Empty where there is no space for it. */
  readonly text: string
}

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export interface Named {
  readonly laid: LaidNode
  readonly name: string
  /** What follows the name, and goes before the name does. */
  readonly more: string
  /** Why jobs stop here: that is never left away. */
  readonly stop: string
}

/** Of the font of the picture, rather too much than too little. */
const letterWidth = 6.6
const aside = 7
const halfLine = 8
/** Less of a name says nothing. */
const leastLetters = 4

export function fitLabels(named: readonly Named[], pills: readonly Box[]): ReadonlyMap<string, Label> {
  const found = new Map<string, Label>()
  const taken: Box[] = [...pills, ...named.map(({ laid }) => boxOfNode(laid))]
  const ranked = named.toSorted((a, b) => Number(isRead(b.laid)) - Number(isRead(a.laid)))
  for (const one of ranked) {
    const label = labelOf(one, taken)
    found.set(one.laid.node.id, label)
    if (label.text !== '' || one.stop !== '') taken.push(boxOfLabel(one.laid, label, one.stop))
  }
  return found
}

/** From the right: beyond the workers stand the words of the cut. */
function isRead({ node, isLast }: LaidNode): boolean {
  return isLast || node.kind === 'pool'
}

function labelOf({ laid, name, more, stop }: Named, taken: readonly Box[]): Label {
  const anchor = isRead(laid) ? 'end' : 'start'
  const x = anchor === 'end' ? laid.x - aside : laid.x + laid.width + aside
  const letters = Math.floor(spaceAt(x, anchor, middleOf(laid), taken) / letterWidth) - stop.length
  return { x, anchor, text: stop === '' ? fitted(name, more, letters) : name + more }
}

function fitted(name: string, more: string, letters: number): string {
  if (name.length + more.length <= letters) return name + more
  const short = letters - more.length - 1
  if (short >= leastLetters) return `${name.slice(0, short)}…${more}`
  if (name.length <= letters) return name
  return letters > leastLetters ? `${name.slice(0, letters - 1)}…` : ''
}

function spaceAt(x: number, anchor: Label['anchor'], y: number, taken: readonly Box[]): number {
  const beside = taken.filter(({ top, bottom }) => top < y + halfLine && bottom > y - halfLine)
  if (anchor === 'start')
    return Math.min(...beside.filter(({ right }) => right > x).map(({ left }) => left - aside - x))
  return Math.min(x, ...beside.filter(({ left }) => left < x).map(({ right }) => x - right - aside))
}

function middleOf({ y, height }: LaidNode): number {
  return y + height / 2
}

function boxOfNode({ x, y, width, height }: LaidNode): Box {
  return { left: x, right: x + width, top: y, bottom: y + height }
}

function boxOfLabel(laid: LaidNode, { x, anchor, text }: Label, stop: string): Box {
  const width = (text.length + stop.length) * letterWidth
  const y = middleOf(laid)
  const left = anchor === 'start' ? x : x - width
  return { left, right: left + width, top: y - halfLine, bottom: y + halfLine }
}
