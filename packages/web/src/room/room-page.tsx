// A room: what can be run in it, and what is happening.

import { Badge, Container, Group, SegmentedControl, Skeleton, Stack, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { RoomView } from '@millrace/protocol'
import { IconDoorOff, IconLock } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { type ReactElement, useEffect, useState } from 'react'
import { ApiProblem } from '../connection/api-problem.ts'
import { RunPanel } from '../extension/run-panel.tsx'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useSearch } from '../shell/address.ts'
import { Go } from '../shell/go.tsx'
import { keepLastRoom } from '../shell/last-room.ts'
import { useWatch } from '../shell/live.ts'
import { places } from '../shell/places.ts'
import { usePageTitle } from '../shell/use-page-title.ts'
import { ConnectWorker } from '../worker/connect-worker.tsx'
import { LockBanner } from './lock-banner.tsx'
import { Presence } from './presence.tsx'
import { RoomJobs } from './room-jobs.tsx'
import { RoomMembers } from './room-members.tsx'
import styles from './room-page.module.css'
import { useRoom } from './room-queries.ts'

export function RoomPage(): ReactElement {
  const { room: name = '' } = useParams({ strict: false }) as { room?: string }
  usePageTitle(name)
  useWatch(name)
  const { data: room, error, refetch } = useRoom(name)
  const known = room !== undefined
  const gone = error instanceof ApiProblem && error.status === 404
  useEffect(() => {
    if (known) keepLastRoom(name)
    else if (gone) keepLastRoom(null)
  }, [known, gone, name])
  if (gone) return <NoRoom name={name} />
  return (
    <Container fluid px={{ base: 'sm', sm: 'lg' }} py="md" maw={1480}>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {room ? <Entered room={room} /> : !error && <Skeleton height={320} />}
    </Container>
  )
}

function Entered({ room }: { readonly room: RoomView }): ReactElement {
  const { run } = useSearch()
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>{room.name}</Title>
          {room.access === 'private' && (
            <Badge variant="default" leftSection={<IconLock size={12} />}>
              private
            </Badge>
          )}
          {room.standing === 'viewer' && <Badge variant="default">you may look</Badge>}
        </Group>
        <Group gap="sm">
          <Presence room={room.name} />
          {room.standing === 'owner' && <RoomMembers room={room} />}
          {room.standing !== 'viewer' && <ConnectWorker room={room.name} />}
        </Group>
      </Group>
      <LockBanner room={room.name} />
      <Halves room={room} extension={run} />
    </Stack>
  )
}

/** A phone shows one of them at a time. */
function Halves({
  room,
  extension,
}: {
  readonly room: RoomView
  readonly extension: string | undefined
}): ReactElement {
  const narrow = useMediaQuery('(width < 62em)', undefined, { getInitialValueInEffect: false })
  const [shown, setShown] = useState('run')
  return (
    <>
      {narrow && (
        <SegmentedControl
          fullWidth
          aria-label="What to show"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'run', label: 'Run' },
            { value: 'jobs', label: 'Jobs' },
          ]}
        />
      )}
      <div className={styles.halves}>
        {(!narrow || shown === 'run') && <RunPanel room={room} />}
        {(!narrow || shown === 'jobs') && <RoomJobs room={room.name} extension={extension} />}
      </div>
    </>
  )
}

/** A room that is private and one that does not exist look the same from outside. */
function NoRoom({ name }: { readonly name: string }): ReactElement {
  return (
    <EmptyState
      icon={IconDoorOff}
      title={`There is no room ${name} for you`}
      action={<Go to={places.rooms}>To the rooms</Go>}
    >
      It does not exist, or it is private and you are not a member of it.
    </EmptyState>
  )
}
