// The jobs of a room: mine, those of the extension that is chosen, and everybody's.

import { Group, Loader, Paper, SegmentedControl, Title } from '@mantine/core'
import { useHover } from '@mantine/hooks'
import { IconListDetails } from '@tabler/icons-react'
import { type ReactElement, useMemo, useState } from 'react'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { FreshNote } from '../job/fresh-note.tsx'
import type { JobFilter } from '../job/job-filter.ts'
import { JobTable } from '../job/job-table.tsx'
import { useJobList } from '../job/use-job-list.ts'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { Go } from '../shell/go.tsx'
import { places } from '../shell/places.ts'

type Whose = 'mine' | 'extension' | 'all'

const pageSize = 50

interface RoomJobsProps {
  readonly room: string
  /** As `scope/category/name`. */
  readonly extension: string | undefined
}

export function RoomJobs({ room, extension }: RoomJobsProps): ReactElement {
  const [whose, setWhose] = useState<Whose>('mine')
  const name = extension?.split('/').at(-1)
  const data = [
    { value: 'mine', label: 'Mine' },
    ...(name === undefined ? [] : [{ value: 'extension', label: name }]),
    { value: 'all', label: 'Everybody' },
  ]
  const shown = whose === 'extension' && name === undefined ? 'all' : whose
  return (
    <Paper component="section" aria-label="Jobs" bg="var(--raised)" style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="md" py="sm" gap="xs">
        <Group gap="sm">
          <Title order={2}>Jobs</Title>
          <SegmentedControl
            size="xs"
            aria-label="Whose jobs"
            data={data}
            value={shown}
            onChange={(value) => setWhose(value as Whose)}
          />
        </Group>
        <Go to={places.jobs} fz="sm">
          All rooms
        </Go>
      </Group>
      <ListOf key={shown} room={room} whose={shown} extension={extension} />
    </Paper>
  )
}

function ListOf({ room, whose, extension }: RoomJobsProps & { readonly whose: Whose }): ReactElement {
  const filter = useFilter(whose, extension)
  const { hovered, ref } = useHover()
  const list = useJobList(room, filter, pageSize)
  const { rows, query } = list
  return (
    <div ref={ref}>
      <Group justify="center" pos="relative" style={{ zIndex: 2 }} h={0}>
        <FreshNote list={list} follows={!hovered} />
      </Group>
      {query.error && <ProblemNote fault={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loader m="md" size="sm" aria-label="Loading" />}
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon={IconListDetails} title={empty[whose].title}>
          {empty[whose].text}
        </EmptyState>
      )}
      {rows.length > 0 && <JobTable list={list} look="room" label="Jobs" height="min(66vh, 720px)" />}
    </div>
  )
}

const empty: Readonly<Record<Whose, { title: string; text: string }>> = {
  mine: {
    title: 'You have run nothing here yet',
    text: 'Choose an extension, fill in its form and press Run. The job appears here and moves as you watch.',
  },
  extension: {
    title: 'It has not been run here yet',
    text: 'Jobs of this extension appear here, whoever runs them.',
  },
  all: {
    title: 'Nobody has run anything here yet',
    text: 'What anybody in the room runs appears here at once.',
  },
}

function useFilter(whose: Whose, extension: string | undefined): JobFilter {
  const user = useSignal(session)?.user
  return useMemo(() => {
    if (whose === 'mine' && user !== undefined) return { submitter: user }
    const [, category, name] = extension?.split('/') ?? []
    if (whose === 'extension' && category !== undefined && name !== undefined)
      return { category, extension: name }
    return {}
  }, [whose, user, extension])
}
