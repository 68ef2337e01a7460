// Four drawings of the same time: what ended, how long it waited, what waited and ran, how full the slots were.

import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { ReactElement } from 'react'
import { durationText } from '../primitives/duration.ts'
import { numberText } from '../primitives/plot-scale.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useSeries } from './overview-queries.ts'
import { columnOf, perMinute, type Series, type Span, timesOf, utilisation } from './series-points.ts'
import { type Line, TimePlot } from './time-plot.tsx'

interface PlotsProps {
  readonly span: Span
  readonly room: string | null
}

export function SeriesPlots({ span, room }: PlotsProps): ReactElement {
  const { data, error, refetch } = useSeries(span, room)
  if (error) return <ProblemNote fault={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={420} />
  if (data.points.length === 0)
    return (
      <Text c="dimmed" size="sm">
        Nothing has been counted yet. A point is added every {durationText(data.stepMs).replace('.0', '')}.
      </Text>
    )
  const times = timesOf(data)
  const spanMs = span === 'hour' ? 3_600_000 : 7 * 86_400_000
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      {drawingsOf(data).map(({ title, lines, text, most }) => (
        <TimePlot
          key={title}
          title={title}
          times={times}
          lines={lines}
          text={text}
          most={most}
          spanMs={spanMs}
        />
      ))}
    </SimpleGrid>
  )
}

interface Drawing {
  readonly title: string
  readonly lines: readonly Line[]
  readonly text: (value: number) => string
  readonly most?: number
}

function drawingsOf(series: Series): readonly Drawing[] {
  const used = utilisation(series)
  return [
    {
      title: 'Ended, a minute',
      text: numberText,
      lines: [
        { name: 'completed', color: '--state-completed', values: perMinute(series, 'completed') },
        { name: 'failed', color: '--state-failed', values: perMinute(series, 'failed'), dashed: true },
      ],
    },
    {
      title: 'Wait',
      text: durationText,
      lines: [
        { name: 'p95', color: '--state-running', values: columnOf(series, 'waitMsP95') },
        { name: 'p50', color: '--state-pending', values: columnOf(series, 'waitMsP50'), dashed: true },
      ],
    },
    {
      title: 'Waiting and running',
      text: numberText,
      lines: [
        { name: 'waiting', color: '--state-pending', values: columnOf(series, 'pending'), dashed: true },
        { name: 'running', color: '--state-running', values: columnOf(series, 'running') },
      ],
    },
    used.some((share) => share !== null)
      ? {
          title: 'Slots in use',
          text: (value) => `${Math.round(value)} %`,
          most: 100,
          lines: [{ name: 'busy', color: '--state-running', values: used }],
        }
      : {
          title: 'Run',
          text: durationText,
          lines: [
            { name: 'p95', color: '--state-running', values: columnOf(series, 'runMsP95') },
            { name: 'p50', color: '--state-pending', values: columnOf(series, 'runMsP50'), dashed: true },
          ],
        },
  ]
}
