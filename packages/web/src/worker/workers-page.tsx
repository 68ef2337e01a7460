// The workers one may see: what they have, what they run, whether they are well.

import { Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { WorkerView } from '@millrace/protocol'
import { IconServerOff } from '@tabler/icons-react'
import { type ReactElement, useMemo } from 'react'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useAllRooms } from '../room/use-all-rooms.ts'
import { Go } from '../shell/go.tsx'
import { lastRoom } from '../shell/last-room.ts'
import { Page } from '../shell/page.tsx'
import { places } from '../shell/places.ts'
import { ConnectWorker } from './connect-worker.tsx'
import { useWorkers } from './worker-queries.ts'
import styles from './worker-row.module.css'
import { WorkerRow } from './worker-row.tsx'
import { byNeed } from './worker-state.ts'

export function WorkersPage(): ReactElement {
  const rooms = useAllRooms()
  const { data, error, refetch } = useWorkers()
  const workers = useMemo(() => byNeed(data ?? []), [data])
  const kept = lastRoom()
  const room = kept !== null && rooms.includes(kept) ? kept : rooms[0]
  return (
    <Page
      title="Workers"
      lead="Processes that run jobs: our own pool, and whatever somebody connected."
      actions={room !== undefined && <ConnectWorker room={room} />}
    >
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} />}
      {data && <Workers workers={workers} room={room} />}
    </Page>
  )
}

interface WorkersProps {
  readonly workers: readonly WorkerView[]
  readonly room: string | undefined
}

function Workers({ workers, room }: WorkersProps): ReactElement {
  const here = workers.filter(({ presence }) => presence !== 'lost')
  const lost = workers.filter(({ presence }) => presence === 'lost')
  return (
    <Stack gap="md">
      <Paper component="section" aria-label="Workers" bg="var(--raised)" style={{ overflow: 'hidden' }}>
        {here.length === 0 ? <NoWorker room={room} /> : <List workers={here} />}
      </Paper>
      {lost.length > 0 && (
        <Paper component="section" aria-label="Lost" bg="var(--raised)" style={{ overflow: 'hidden' }}>
          <Group px="md" pt="sm" gap="xs">
            <Title order={2}>Lost</Title>
            <Text size="sm" c="dimmed">
              No longer heard; what they ran has gone to others. They come back when their process does.
            </Text>
          </Group>
          <List workers={lost} />
        </Paper>
      )}
    </Stack>
  )
}

function List({ workers }: { readonly workers: readonly WorkerView[] }): ReactElement {
  return (
    <ul className={styles.list}>
      {workers.map((worker) => (
        <WorkerRow key={worker.id} worker={worker} />
      ))}
    </ul>
  )
}

function NoWorker({ room }: { readonly room: string | undefined }): ReactElement {
  return (
    <EmptyState
      icon={IconServerOff}
      title="No worker is connected"
      action={
        room === undefined ? (
          <Go to={places.rooms}>Make a room first</Go>
        ) : (
          <ConnectWorker room={room} variant="filled" />
        )
      }
    >
      Jobs wait until somebody serves their extension. Start a worker on your laptop, a GPU box or a cluster
      node: it dials in, and needs no open port.
    </EmptyState>
  )
}
