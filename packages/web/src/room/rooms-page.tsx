// The rooms one may see, and making another.

import { Badge, Container, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { RoomView } from '@millrace/protocol'
import { IconArrowRight, IconDoor, IconLock, IconUsers, IconWorld } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { PlainLink } from '../shell/go.tsx'
import { placeOfRoom } from '../shell/places.ts'
import { usePageTitle } from '../shell/use-page-title.ts'
import { CreateRoom } from './create-room.tsx'
import { useRooms } from './room-queries.ts'
import styles from './rooms-page.module.css'

export function RoomsPage(): ReactElement {
  usePageTitle('Rooms')
  const { data: rooms, error, refetch } = useRooms()
  return (
    <Container size="lg" py="lg">
      <Group justify="space-between" mb="md">
        <Stack gap={2}>
          <Title order={1}>Rooms</Title>
          <Text c="dimmed">A room is shared: everybody in it sees the same jobs, live.</Text>
        </Stack>
        <CreateRoom />
      </Group>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {rooms?.length === 0 && (
        <Paper bg="var(--raised)">
          <EmptyState icon={IconDoor} title="There is no room yet">
            Make one for your group. Whoever makes a room owns it and says who may come in.
          </EmptyState>
        </Paper>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {!rooms && !error && [1, 2, 3].map((each) => <Skeleton key={each} height={104} />)}
        {rooms?.map((room) => (
          <RoomCard key={room.name} room={room} />
        ))}
      </SimpleGrid>
    </Container>
  )
}

function RoomCard({ room }: { readonly room: RoomView }): ReactElement {
  const { name, access, standing, members, limit, createdAt } = room
  const isPrivate = access === 'private'
  return (
    <Paper component={PlainLink} to={placeOfRoom(name)} className={styles.card}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} className={styles.name}>
          {name}
        </Title>
        <IconArrowRight size={18} className={styles.arrow} aria-hidden />
      </Group>
      <Group gap={6}>
        <Badge variant="default" leftSection={isPrivate ? <IconLock size={12} /> : <IconWorld size={12} />}>
          {access}
        </Badge>
        <Badge variant="light" color={standing === 'owner' ? 'race' : 'gray'}>
          {standing === 'owner' ? 'yours' : standing}
        </Badge>
        {limit !== null && <Badge variant="default">{limit} at a time</Badge>}
      </Group>
      <Group gap={6} c="dimmed" fz="sm">
        <IconUsers size={14} aria-hidden />
        {members.length} {members.length === 1 ? 'member' : 'members'}, made <Ago at={createdAt} />
      </Group>
    </Paper>
  )
}
