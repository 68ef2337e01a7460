// Draws a figure: lines, bars or points over one x-axis, as wide as its place.

import { Group, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { ReactElement } from 'react'
import { rangeOf, type Scale, scaleOf, ticksOf, tickText } from '../primitives/plot-scale.ts'
import type { Figure } from './figure.ts'
import styles from './figure-plot.module.css'
import { lookOfSeries, type SeriesLook } from './series-look.ts'

const height = 300
const margin = { top: 10, right: 12, bottom: 44, left: 62 }

export function FigurePlot({ figure }: { readonly figure: Figure }): ReactElement {
  const { ref, width } = useElementSize<HTMLDivElement>()
  return (
    <figure className={styles.figure}>
      <figcaption>
        <Text fw={600} size="sm" mb={4}>
          {figure.title}
        </Text>
      </figcaption>
      <div ref={ref} style={{ minHeight: height }}>
        {width > 0 && <Drawing figure={figure} width={width} />}
      </div>
      {figure.series.length > 1 && (
        <Group gap="md" mt={4}>
          {figure.series.map(({ label }, index) => (
            <Group key={label} gap={6} fz="sm">
              <Swatch kind={figure.kind} look={lookOfSeries(index)} />
              {label}
            </Group>
          ))}
        </Group>
      )}
    </figure>
  )
}

interface Scales {
  readonly x: Scale
  readonly y: Scale
}

function Drawing({ figure, width }: { readonly figure: Figure; readonly width: number }): ReactElement {
  const scales = scalesOf(figure, width)
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`${figure.title}: ${figure.y.label} over ${figure.x.label}, ${figure.x.values.length} points`}
    >
      <Axes figure={figure} scales={scales} width={width} />
      {figure.series.map(({ label, values }, index) => (
        <Marks
          key={label}
          kind={figure.kind}
          label={label}
          x={figure.x.values}
          y={values}
          scales={scales}
          look={lookOfSeries(index)}
          place={{ index, of: figure.series.length }}
        />
      ))}
    </svg>
  )
}

function scalesOf({ kind, x, series }: Figure, width: number): Scales {
  const [xLeast, xMost] = rangeOf(x.values)
  const [yLeast, yMost] = rangeOf(series.flatMap(({ values }) => values))
  const half = kind === 'bar' ? spacingOf(x.values) / 2 : 0
  const slack = kind === 'bar' ? 0 : (yMost - yLeast || 1) * 0.04
  const low = kind === 'bar' ? Math.min(0, yLeast) : yLeast - slack
  return {
    x: scaleOf(xLeast - half, xMost + half, margin.left, width - margin.right),
    y: scaleOf(low, yMost + (slack || (yMost - low) * 0.04), height - margin.bottom, margin.top),
  }
}

function Axes({
  figure,
  scales: { x, y },
  width,
}: {
  readonly figure: Figure
  readonly scales: Scales
  readonly width: number
}): ReactElement {
  const bottom = height - margin.bottom
  return (
    <g className={styles.axes}>
      {ticksOf(y.least, y.most, 5).map((tick) => (
        <g key={tick} transform={`translate(0 ${y.place(tick)})`}>
          <line x1={margin.left} x2={width - margin.right} />
          <text x={margin.left - 8} dy="0.32em" textAnchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {ticksOf(x.least, x.most, Math.max(3, width / 110)).map((tick) => (
        <text key={tick} x={x.place(tick)} y={bottom + 18} textAnchor="middle">
          {tickText(tick)}
        </text>
      ))}
      <text
        className={styles.label}
        x={(margin.left + width - margin.right) / 2}
        y={height - 6}
        textAnchor="middle"
      >
        {figure.x.label}
      </text>
      <text
        className={styles.label}
        transform={`translate(14 ${bottom / 2}) rotate(-90)`}
        textAnchor="middle"
      >
        {figure.y.label}
      </text>
    </g>
  )
}

/** As in the drawing. */
function Swatch({ kind, look }: { readonly kind: Figure['kind']; readonly look: SeriesLook }): ReactElement {
  return (
    <svg width={26} height={10} style={{ color: look.colour }} aria-hidden>
      {kind === 'line' && <Stroke d="M0 5H26" look={look} />}
      {kind === 'bar' && <rect className={styles.mark} width={26} height={10} />}
      {kind === 'scatter' && <Point left={13} top={5} look={look} />}
    </svg>
  )
}

function Stroke({ d, look }: { readonly d: string; readonly look: SeriesLook }): ReactElement {
  return <path className={styles.line} d={d} strokeWidth={look.strokePx} strokeDasharray={look.dash} />
}

interface PointProps {
  readonly left: number
  readonly top: number
  readonly look: SeriesLook
}

function Point({ left, top, look }: PointProps): ReactElement {
  return (
    <path
      className={styles.mark}
      d={look.shape}
      transform={`translate(${left} ${top})`}
      data-hollow={look.hollow || undefined}
    />
  )
}

interface MarksProps {
  readonly kind: Figure['kind']
  readonly label: string
  readonly x: readonly number[]
  readonly y: readonly (number | null)[]
  readonly scales: Scales
  readonly look: SeriesLook
  /** Which series it is. */
  readonly place: { readonly index: number; readonly of: number }
}

function Marks({ kind, label, x, y, scales, look, place }: MarksProps): ReactElement {
  if (kind === 'line')
    return (
      <g style={{ color: look.colour }}>
        <title>{label}</title>
        <Stroke d={pathOf(x, y, scales)} look={look} />
      </g>
    )
  const wide = ((scales.x.place(spacingOf(x)) - scales.x.place(0)) * 0.9) / place.of
  const aside = (place.index - (place.of - 1) / 2) * wide
  const points = x.flatMap((at, index) => {
    const value = y[index] ?? null
    return value === null ? [] : [{ index, at, value }]
  })
  return (
    <g style={{ color: look.colour }}>
      {points.map(({ index, at, value }) => (
        <g key={index}>
          <title>{`${place.of > 1 ? `${label}, ` : ''}${tickText(at)}: ${tickText(value)}`}</title>
          {kind === 'scatter' ? (
            <Point left={scales.x.place(at)} top={scales.y.place(value)} look={look} />
          ) : (
            <Bar left={scales.x.place(at) + aside} value={value} wide={wide} y={scales.y} />
          )}
        </g>
      ))}
    </g>
  )
}

interface BarProps {
  readonly left: number
  readonly value: number
  readonly wide: number
  readonly y: Scale
}

function Bar({ left, value, wide, y }: BarProps): ReactElement {
  const top = y.place(value)
  const zero = y.place(Math.max(0, y.least))
  return (
    <rect
      className={styles.mark}
      x={left - wide / 2}
      width={Math.max(1, wide)}
      y={Math.min(top, zero)}
      height={Math.max(0.5, Math.abs(zero - top))}
    />
  )
}

/** In the order given, so that x may turn back; null lifts the pen. */
function pathOf(x: readonly number[], y: readonly (number | null)[], scales: Scales): string {
  let drawing = false
  return x
    .map((at, index) => {
      const value = y[index] ?? null
      if (value === null) {
        drawing = false
        return ''
      }
      const step = `${drawing ? 'L' : 'M'}${scales.x.place(at).toFixed(1)} ${scales.y.place(value).toFixed(1)}`
      drawing = true
      return step
    })
    .join('')
}

/** The least distance between two neighbours. */
function spacingOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const gaps = sorted.slice(1).map((value, index) => value - (sorted[index] ?? value))
  return Math.min(...gaps.filter((gap) => gap > 0), sorted.length > 1 ? Number.POSITIVE_INFINITY : 1)
}
