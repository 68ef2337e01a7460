// All jobs that one may see, in all rooms: found by what the address bar says, live, and as many as there are.

import { Container, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import type { RoomView } from '@millrace/protocol'
import { IconListDetails } from '@tabler/icons-react'
import { type ReactElement, useMemo } from 'react'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useRooms } from '../room/room-queries.ts'
import { setSearch, useSearch } from '../shell/address.ts'
import { useWatchAll } from '../shell/live.ts'
import { usePageTitle } from '../shell/use-page-title.ts'
import { BulkActions } from './bulk-actions.tsx'
import { ExportJobs } from './export-jobs.tsx'
import { FreshNote } from './fresh-note.tsx'
import { filterOfSearch, isFiltered, isStray, type JobFilter, searchOfFilter } from './job-filter.ts'
import { JobFilters } from './job-filters.tsx'
import { JobTable } from './job-table.tsx'
import { type JobList, useJobList } from './use-job-list.ts'

const pageSize = 200
/** Each room is joined for itself; beyond these, rows show what was true when they were fetched. */
const liveRooms = 300
const noRooms: readonly RoomView[] = []

export function JobsPage(): ReactElement {
  usePageTitle('Jobs')
  const search = useSearch()
  const room = search.room === undefined || search.room === '' ? null : search.room
  const filter = useMemo(() => filterOfSearch(search), [search])
  const { data: rooms = noRooms } = useRooms()
  const names = rooms.map(({ name }) => name)
  useWatchAll(room === null ? names.slice(0, liveRooms) : [room])
  const actedIn = useMemo(
    () =>
      room === null ? rooms.filter(({ standing }) => standing !== 'viewer').map(({ name }) => name) : [room],
    [room, rooms],
  )
  const change = (next: JobFilter, inRoom: string | null): void =>
    setSearch({ ...searchOfFilter(next), ...(inRoom !== null && { room: inRoom }) })
  return (
    <Container fluid px={{ base: 'sm', sm: 'lg' }} py="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={1}>Jobs</Title>
          <Group gap="xs">
            <BulkActions rooms={actedIn} filter={filter} />
            <ExportJobs room={room} filter={filter} />
          </Group>
        </Group>
        <JobFilters filter={filter} room={room} rooms={names} onChange={change} />
        {room === null && names.length > liveRooms && (
          <Text size="sm" c="dimmed">
            Jobs of the first {liveRooms} rooms move as you watch. Those of the other{' '}
            {(names.length - liveRooms).toLocaleString()} are shown as they were when the list was fetched:
            choose a room to see its jobs live.
          </Text>
        )}
        <Listed room={room} filter={filter} />
      </Stack>
    </Container>
  )
}

/** Apart from the filters, which need not be drawn anew with every event. */
function Listed({
  room,
  filter,
}: {
  readonly room: string | null
  readonly filter: JobFilter
}): ReactElement {
  const list = useJobList(room, filter, pageSize)
  return (
    <Paper bg="var(--raised)" component="section" aria-label="Jobs" style={{ overflow: 'hidden' }}>
      <Summary list={list} filter={filter} />
      <Rows list={list} filter={filter} />
    </Paper>
  )
}

interface PartProps {
  readonly list: JobList
  readonly filter: JobFilter
}

function Summary({ list, filter }: PartProps): ReactElement {
  const { rows, query, looked } = list
  const strays = useMemo(() => rows.filter((row) => isStray(filter, row)).length, [rows, filter])
  const more = query.hasNextPage ? 'so far' : 'in all'
  return (
    <Group justify="space-between" px="md" py={6} mih={38}>
      <Text size="sm" c="dimmed" className="numbers" role="status">
        {query.isSuccess && `${(rows.length - strays).toLocaleString()} ${more}`}
        {strays > 0 && `, ${strays.toLocaleString()} no longer ${strays === 1 ? 'matches' : 'match'}`}
        {filter.search !== undefined && `, looked at ${looked.toLocaleString()}`}
      </Text>
      <FreshNote list={list} />
    </Group>
  )
}

function Rows({ list, filter }: PartProps): ReactElement | null {
  const { rows, query } = list
  if (query.error) return <ProblemNote fault={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <Loader m="md" size="sm" aria-label="Loading" />
  if (rows.length > 0) return <JobTable list={list} look="wide" label="Jobs" height="calc(100dvh - 240px)" />
  return isFiltered(filter) ? (
    <EmptyState icon={IconListDetails} title="No job fits">
      Take away a part of the filter, or look further back in time.
    </EmptyState>
  ) : (
    <EmptyState icon={IconListDetails} title="There are no jobs yet">
      Enter a room and run something. Whatever runs in any room you may see appears here.
    </EmptyState>
  )
}
