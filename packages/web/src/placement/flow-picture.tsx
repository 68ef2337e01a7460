// The network of a pass as a picture: jobs come from the left, slots are on the right, and where it is narrow it is red.

import { useElementSize } from '@mantine/hooks'
import type { PlacementView } from '@millrace/protocol'
import { type ReactElement, useMemo, useState } from 'react'
import { narrowsOf, stopsOf, waitsOf } from './cut-words.ts'
import { type LaidBand, type LaidNode, layFlow } from './flow-layout.ts'
import styles from './flow-picture.module.css'
import { bandSentence } from './flow-words.ts'
import { trimNetwork } from './trim-network.ts'

const mostOfAKind = 14

export function FlowPicture({ view }: { readonly view: PlacementView }): ReactElement {
  const { ref, width } = useElementSize()
  const [pointed, setPointed] = useState<string | null>(null)
  const seen = useMemo(() => trimNetwork(view, mostOfAKind), [view])
  const laid = useMemo(() => layFlow(seen, Math.max(560, width || 900)), [seen, width])
  const narrow = useMemo(() => {
    const narrows = narrowsOf({ ...seen, waiting: view.waiting })
    return new Map(narrows.map(({ edge, words }) => [nameOf(edge), words]))
  }, [seen, view.waiting])
  const stops = useMemo(() => stopsOf(view), [view])
  const waits = useMemo(() => waitsOf(view), [view])
  const sentence = laid.bands.find(({ edge }) => nameOf(edge) === pointed)
  return (
    <div ref={ref} className={styles.box}>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture has no element for a group */}
      <svg
        viewBox={`0 0 ${laid.width} ${laid.height}`}
        width={laid.width}
        height={laid.height}
        role="group"
        aria-label="From rooms over jobs to workers"
      >
        {laid.bands.map((band) => (
          <Band
            key={nameOf(band.edge)}
            band={band}
            words={narrow.get(nameOf(band.edge))}
            onPoint={setPointed}
          />
        ))}
        {laid.nodes.map((one) => (
          <Node key={one.node.id} laid={one} stop={stops.get(one.node.id)} waits={waits.get(one.node.id)} />
        ))}
        {labelled(laid.bands, narrow).map((band) => (
          <CutLabel key={nameOf(band.edge)} band={band} words={narrow.get(nameOf(band.edge)) ?? ''} />
        ))}
      </svg>
      <p className={styles.told} role="status">
        {sentence
          ? bandSentence(sentence, narrow.get(nameOf(sentence.edge)))
          : 'Point at a band, or go from one to the next with Tab, to read what flows there.'}
      </p>
    </div>
  )
}

function nameOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from}→${to}`
}

interface BandProps {
  readonly band: LaidBand
  readonly words: string | undefined
  readonly onPoint: (name: string | null) => void
}

function Band({ band, words, onPoint }: BandProps): ReactElement {
  const { edge, path, width, flowWidth } = band
  const point = (): void => onPoint(nameOf(edge))
  const leave = (): void => onPoint(null)
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: whoever cannot point reads the bands one by one
    <g
      className={styles.band}
      data-cut={words !== undefined || undefined}
      role="img"
      aria-label={bandSentence(band, words)}
      tabIndex={0}
      onMouseEnter={point}
      onMouseLeave={leave}
      onFocus={point}
      onBlur={leave}
    >
      <path d={path} className={styles.could} strokeWidth={width} />
      {flowWidth > 0 && <path d={path} className={styles.flows} strokeWidth={Math.max(1.5, flowWidth)} />}
      <path d={path} className={styles.reach} strokeWidth={Math.max(14, width)} />
    </g>
  )
}

/** Of the bands that say the same, the widest has the words. */
function labelled(bands: readonly LaidBand[], narrow: ReadonlyMap<string, string>): readonly LaidBand[] {
  const widest = new Map<string, LaidBand>()
  for (const band of bands) {
    const words = narrow.get(nameOf(band.edge))
    if (words === undefined) continue
    const place = `${words} ${band.to.kind}`
    const before = widest.get(place)
    if (!before || band.width > before.width) widest.set(place, band)
  }
  return [...widest.values()]
}

function CutLabel({
  band: { middle },
  words,
}: {
  readonly band: LaidBand
  readonly words: string
}): ReactElement {
  const width = words.length * 6.4 + 18
  return (
    <g className={styles.label} transform={`translate(${middle.x}, ${middle.y})`} aria-hidden>
      <rect x={-width / 2} y={-11} width={width} height={22} rx={11} />
      <text textAnchor="middle" dy="0.34em">
        {words}
      </text>
    </g>
  )
}

interface NodeProps {
  readonly laid: LaidNode
  readonly stop: string | undefined
  readonly waits: number | undefined
}

function Node({ laid, stop, waits }: NodeProps): ReactElement {
  const { node, x, y, width, height, isLast } = laid
  // To the right of the workers stand the words of the cut.
  const at =
    isLast || node.kind === 'pool'
      ? { x: x - 7, anchor: 'end' as const }
      : { x: x + width + 7, anchor: 'start' as const }
  const slots =
    node.slots === undefined ? '' : `, ${node.slots - (node.freeSlots ?? 0)} / ${node.slots} slots`
  return (
    <g className={styles.node} data-kind={node.kind} data-hidden={node.hidden || undefined}>
      <rect x={x} y={y} width={width} height={height} rx={2} />
      <text x={at.x} y={y + height / 2} dy="0.34em" textAnchor={at.anchor}>
        {short(node.label)}
        {slots}
        {waits !== undefined && `, ${waits} wait`}
        {stop !== undefined && <tspan className={styles.stop}> ✕ {stop}</tspan>}
      </text>
    </g>
  )
}

function short(label: string): string {
  return label.length > 26 ? `${label.slice(0, 25)}…` : label
}
