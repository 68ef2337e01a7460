// The network of a pass as a picture: jobs come from the left, slots are on the right, and where it is narrow it is red.

import { useElementSize } from '@mantine/hooks'
import type { PlacementView } from '@millrace/protocol'
import { type ReactElement, useMemo, useState } from 'react'
import { narrowsOf, stopsOf, waitsOf } from './cut-words.ts'
import { type Box, fitLabels, type Label, type Named } from './fit-labels.ts'
import { type LaidBand, type LaidNode, layFlow } from './flow-layout.ts'
import styles from './flow-picture.module.css'
import { bandSentence, slotsText } from './flow-words.ts'
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
  const cuts = useMemo(() => labelled(laid.bands, narrow), [laid, narrow])
  const named = useMemo(
    () => laid.nodes.map((one) => nameNode(one, stops.get(one.node.id), waits.get(one.node.id))),
    [laid, stops, waits],
  )
  const labels = useMemo(
    () =>
      fitLabels(
        named,
        cuts.map((band) => pillOf(band, narrow.get(nameOf(band.edge)) ?? '')),
      ),
    [named, cuts, narrow],
  )
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
        {named.map((one) => (
          <Node key={one.laid.node.id} named={one} label={labels.get(one.laid.node.id)} />
        ))}
        {cuts.map((band) => (
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
  const width = pillWidth(words)
  return (
    <g className={styles.label} transform={`translate(${middle.x}, ${middle.y})`} aria-hidden>
      <rect x={-width / 2} y={-11} width={width} height={22} rx={11} />
      <text textAnchor="middle" dy="0.34em">
        {words}
      </text>
    </g>
  )
}

function pillWidth(words: string): number {
  return words.length * 6.4 + 18
}

function pillOf({ middle: { x, y } }: LaidBand, words: string): Box {
  const half = pillWidth(words) / 2
  return { left: x - half, right: x + half, top: y - 11, bottom: y + 11 }
}

function nameNode(laid: LaidNode, stop: string | undefined, waits: number | undefined): Named {
  const { label, slots, freeSlots = 0 } = laid.node
  const used = slots === undefined ? '' : `, ${slots - freeSlots} / ${slotsText(slots)}`
  return {
    laid,
    name: short(label),
    more: `${used}${waits === undefined ? '' : `, ${waits} wait`}`,
    stop: stop === undefined ? '' : ` ✕ ${stop}`,
  }
}

function Node({
  named: { laid, name, more, stop },
  label,
}: {
  readonly named: Named
  readonly label: Label | undefined
}): ReactElement {
  const { node, x, y, width, height } = laid
  return (
    <g className={styles.node} data-kind={node.kind} data-hidden={node.hidden || undefined}>
      {label?.text !== name + more && <title>{`${node.label}${more}${stop}`}</title>}
      <rect x={x} y={y} width={width} height={height} rx={2} />
      {label && (
        <text x={label.x} y={y + height / 2} dy="0.34em" textAnchor={label.anchor}>
          {label.text}
          {stop !== '' && <tspan className={styles.stop}>{stop}</tspan>}
        </text>
      )}
    </g>
  )
}

function short(label: string): string {
  return label.length > 26 ? `${label.slice(0, 25)}…` : label
}
