// Lines over time, drawn by uPlot in the colours of the theme. What is under the pointer, or else the last point, stands
// beside the title in words.

import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme } from '@mantine/core'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import Plot from 'uplot'
import { clockText, instantText } from '../primitives/duration.ts'
import styles from './time-plot.module.css'

export interface Line {
  readonly name: string
  /** A variable of the theme. */
  readonly color: string
  readonly values: readonly (number | null)[]
  readonly dashed?: boolean
}

interface PlotProps {
  readonly title: string
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  readonly text: (value: number) => string
  readonly most?: number | undefined
  /** How far back it goes, whatever has been counted. */
  readonly spanMs: number
}

const height = 150

export function TimePlot({ title, times, lines, text, most, spanMs }: PlotProps): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const [at, setAt] = useState<number | null>(null)
  const scheme = useComputedColorScheme()
  const latest = useRef({ times, lines, text })
  latest.current = { times, lines, text }
  const shape = lines.map(({ name }) => name).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew for other lines or colours; values are set below
  useEffect(() => {
    if (!box.current) return
    const made = new Plot(
      optionsOf(box.current, latest.current, { most, spanMs }, setAt),
      dataOf(latest.current),
      box.current,
    )
    plot.current = made
    const watch = new ResizeObserver(([entry]) =>
      made.setSize({ width: Math.max(120, Math.floor(entry?.contentRect.width ?? 120)), height }),
    )
    watch.observe(box.current)
    return () => {
      watch.disconnect()
      made.destroy()
    }
  }, [shape, scheme, most, spanMs])
  useEffect(() => plot.current?.setData(dataOf({ times, lines })), [times, lines])
  const shown = at ?? times.length - 1
  return (
    <figure className={styles.figure} aria-label={sentenceOf(title, lines, text)}>
      <figcaption className={styles.caption}>
        <strong>{title}</strong>
        <span className={styles.legend}>
          {lines.map(({ name, color, values, dashed }) => (
            <span key={name}>
              <span
                className={styles.dot}
                data-dashed={dashed || undefined}
                style={{ color: `var(${color})` }}
              />
              {name} {wordOf(values[shown] ?? null, text)}
            </span>
          ))}
          {at !== null && <time>{instantText((times[at] ?? 0) * 1_000)}</time>}
        </span>
      </figcaption>
      <div ref={box} className={styles.plot} aria-hidden />
    </figure>
  )
}

type Drawn = Pick<PlotProps, 'times' | 'lines' | 'text'>

function dataOf({ times, lines }: Omit<Drawn, 'text'>): Plot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])]
}

function optionsOf(
  box: HTMLElement,
  { lines, text }: Drawn,
  { most, spanMs }: Pick<PlotProps, 'most' | 'spanMs'>,
  setAt: (at: number | null) => void,
): Plot.Options {
  const themed = getComputedStyle(box)
  const color = (name: string): string => themed.getPropertyValue(name).trim()
  const axis = {
    stroke: color('--mantine-color-dimmed'),
    font: '11px system-ui',
    ticks: { show: false },
    grid: { stroke: color('--mantine-color-default-border'), width: 1 },
  }
  return {
    width: Math.max(120, box.clientWidth),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: {
      x: { range: (_, first, last) => [beginOf(first, last, spanMs), last] },
      y: { range: (_, __, top) => [0, most ?? (top > 0 ? top * 1.08 : 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        values: (_, at) => at.map(spanMs > dayMs ? dayText : hourText),
      },
      { ...axis, size: 62, values: (_, at) => at.map(text) },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.name,
        stroke: color(line.color),
        width: 1.6,
        spanGaps: false,
        points: { show: false },
        ...(line.dashed && { dash: [4, 3] }),
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => setAt(idx ?? null)] },
  }
}

const dayMs = 86_400_000
const leastSeconds = 600

/** A server that has not counted for long yet is not drawn at the edge of an empty hour. */
function beginOf(first: number, last: number, spanMs: number): number {
  return Math.max(last - spanMs / 1_000, Math.min(first, last - leastSeconds))
}

const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric' })

function dayText(seconds: number): string {
  return day.format(seconds * 1_000)
}

function hourText(seconds: number): string {
  return clockText(seconds * 1_000).slice(0, 5)
}

function wordOf(value: number | null, text: (value: number) => string): string {
  return value === null ? '–' : text(value)
}

function sentenceOf(title: string, lines: readonly Line[], text: PlotProps['text']): string {
  const told = lines.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    const now = wordOf(values.at(-1) ?? null, text)
    return known.length === 0 ? `${name} none` : `${name} now ${now}, at most ${text(Math.max(...known))}`
  })
  return `${title}: ${told.join('; ')}`
}
