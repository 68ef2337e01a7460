// How many jobs each room may run at once, and how much it weighs where slots are scarce.

import { Button, Group, NumberInput, Paper, Skeleton, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type RoomView, routes } from '@millrace/protocol'
import { IconDoor } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { call } from '../connection/api.ts'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote, problemText } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { Go } from '../shell/go.tsx'
import { placeOfRoom } from '../shell/places.ts'
import { useRooms } from './room-queries.ts'

export function LimitsPanel(): ReactElement {
  const { data: rooms, error, refetch } = useRooms()
  return (
    <Paper component="section" aria-label="Limits" bg="var(--raised)" style={{ overflow: 'hidden' }}>
      <Text size="sm" c="dimmed" px="md" py="sm">
        Empty is no limit. Where slots are scarce, a room of weight 2 gets twice what one of weight 1 gets.
      </Text>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!rooms && !error && <Skeleton height={160} />}
      {rooms?.length === 0 && <EmptyState icon={IconDoor} title="There is no room yet" />}
      {rooms && rooms.length > 0 && (
        <RowTable label="Limits" columns={columns} rows={rooms} keyOf={({ name }) => name} />
      )}
    </Paper>
  )
}

const columns: readonly Column<RoomView>[] = [
  { name: 'Room', head: true, cell: ({ name }) => <Go to={placeOfRoom(name)}>{name}</Go> },
  { name: 'Access', cell: ({ access }) => access },
  { name: 'Members', end: true, cell: ({ members }) => members.length },
  {
    name: 'At once, and weight',
    cell: (room) => <Limits key={`${room.limit}/${room.weight}`} room={room} />,
  },
]

function Limits({ room: { name, limit, weight } }: { readonly room: RoomView }): ReactElement {
  const client = useQueryClient()
  const [wanted, setWanted] = useState<{ limit: number | string; weight: number | string }>({
    limit: limit ?? '',
    weight,
  })
  const asked = { limit: numberOr(wanted.limit, null), weight: numberOr(wanted.weight, weight) }
  const changed = asked.limit !== limit || asked.weight !== weight
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(routes.changeRoom, { params: { room: name }, body: asked }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['rooms'] }),
    onError: (fault) => notifications.show({ color: 'red', message: problemText(fault) }),
  })
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-start">
      <NumberInput
        size="xs"
        aria-label={`How many jobs ${name} may run at once`}
        placeholder="no limit"
        min={0}
        value={wanted.limit}
        onChange={(next) => setWanted({ ...wanted, limit: next })}
        w={100}
      />
      <NumberInput
        size="xs"
        aria-label={`Weight of ${name}`}
        min={1}
        value={wanted.weight}
        onChange={(next) => setWanted({ ...wanted, weight: next })}
        w={80}
      />
      <Button size="compact-xs" disabled={!changed} loading={isPending} onClick={() => mutate()}>
        Keep
      </Button>
    </Group>
  )
}

function numberOr<Other>(value: number | string, other: Other): number | Other {
  return value === '' ? other : Number(value)
}
