// How it goes: what needs somebody first, the figures of now, and how they came about.

import { Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { Overview } from '@millrace/protocol'
import { lazy, type ReactElement, Suspense } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useNow } from '../primitives/use-now.ts'
import { RoomSelect } from '../room/room-select.tsx'
import { useAllRooms } from '../room/use-all-rooms.ts'
import { setSearch, useSearch } from '../shell/address.ts'
import { Page } from '../shell/page.tsx'
import { CountedSince, useStartedAt } from './counted-since.tsx'
import { figuresOf, oddFigures } from './overview-figures.ts'
import { useOverview } from './overview-queries.ts'
import { OverviewTiles } from './overview-tiles.tsx'
import type { Span } from './series-points.ts'
import { TroubleList } from './trouble-list.tsx'

const SeriesPlots = lazy(async () => ({ default: (await import('./series-plots.tsx')).SeriesPlots }))

export function OverviewPage(): ReactElement {
  const rooms = useAllRooms()
  const { data, error, refetch } = useOverview()
  return (
    <Page title="Overview" lead="Over all rooms you may see.">
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={220} />}
      {data && <Now overview={data} />}
      <OverTime rooms={rooms} />
    </Page>
  )
}

/** What the server counts as lately. */
const recentMs = 10 * 60_000

function Now({ overview }: { readonly overview: Overview }): ReactElement {
  const startedAt = useStartedAt()
  const isYoung = startedAt !== null && overview.at - startedAt < recentMs
  const figures = figuresOf(overview, useNow(overview.oldestWaitMs !== null))
  return (
    <Stack gap="md">
      <TroubleList troubles={overview.troubles} odd={oddFigures(overview, figures)} />
      <OverviewTiles figures={figures} />
      {isYoung && (
        <Text size="sm" c="dimmed">
          The figures of the last ten minutes are those since the server started, <Ago at={startedAt} />.
        </Text>
      )}
    </Stack>
  )
}

function OverTime({ rooms }: { readonly rooms: readonly string[] }): ReactElement {
  const { room = '', span = 'hour' } = useSearch()
  const chosen = rooms.includes(room) ? room : null
  const change = (next: { readonly room: string | null; readonly span: string }): void =>
    setSearch({
      ...(next.room !== null && { room: next.room }),
      ...(next.span !== 'hour' && { span: next.span }),
    })
  const within: Span = span === 'week' ? 'week' : 'hour'
  return (
    <Paper component="section" aria-label="Over time" bg="var(--raised)" p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Over time</Title>
        <Group gap="xs">
          <RoomSelect rooms={rooms} room={chosen} onChange={(next) => change({ room: next, span })} />
          <SegmentedControl
            size="xs"
            aria-label="How far back"
            value={within}
            onChange={(next) => change({ room: chosen, span: next })}
            data={[
              { value: 'hour', label: 'Hour' },
              { value: 'week', label: 'Week' },
            ]}
          />
        </Group>
      </Group>
      <CountedSince span={within} room={chosen} />
      <Suspense fallback={<Text c="dimmed">Loading…</Text>}>
        <SeriesPlots span={within} room={chosen} />
      </Suspense>
    </Paper>
  )
}
