// Making a room.

import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { routes } from '@millrace/protocol'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type SubmitEvent, useState } from 'react'
import { call } from '../connection/api.ts'
import { problemText } from '../primitives/problem-note.tsx'
import { go } from '../shell/go.tsx'
import { placeOfRoom } from '../shell/places.ts'

type Access = 'open' | 'private'

export function CreateRoom(): ReactElement {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        New room
      </Button>
      <Modal opened={opened} onClose={close} title="A new room" closeButtonProps={{ 'aria-label': 'Close' }}>
        <RoomForm />
      </Modal>
    </>
  )
}

function RoomForm(): ReactElement {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [access, setAccess] = useState<Access>('open')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(routes.createRoom, { body: { name, access } }),
    onSuccess: (room) => {
      void client.invalidateQueries({ queryKey: ['rooms'] })
      go(placeOfRoom(room.name))
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="lab"
          data-autofocus
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={error && problemText(error)}
        />
        <Stack gap={4}>
          <SegmentedControl
            aria-label="Who sees it"
            value={access}
            onChange={(value) => setAccess(value as Access)}
            data={[
              { label: 'Open', value: 'open' },
              { label: 'Private', value: 'private' },
            ]}
          />
          <Text size="sm" c="dimmed">
            {access === 'open'
              ? 'Everybody with an account may come in and run jobs.'
              : 'Only its members see it. You add them in the room, under Members.'}
          </Text>
        </Stack>
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Make the room
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
