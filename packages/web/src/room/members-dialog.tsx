// Who belongs to a room and what each of them may do: added by name, changed, removed.

import '../shell/later-styles.ts'
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { type RoomView, routes } from '@millrace/protocol'
import { IconUserMinus } from '@tabler/icons-react'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type SubmitEvent, useState } from 'react'
import { call } from '../connection/api.ts'
import { IconButton } from '../primitives/icon-button.tsx'
import { ProblemNote, problemText } from '../primitives/problem-note.tsx'

type Member = RoomView['members'][number]
type Role = Member['role']

const roles: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'member', label: 'member: runs jobs' },
  { value: 'viewer', label: 'viewer: looks on' },
  { value: 'owner', label: 'owner: manages' },
]

interface DialogProps {
  readonly room: RoomView
  readonly onClose: () => void
}

export function MembersDialog({ room, onClose }: DialogProps): ReactElement {
  const { name, access, members } = room
  return (
    <Modal opened onClose={onClose} title={`Members of ${name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm">
          {access === 'private'
            ? 'Only these people, and admins, see the room.'
            : 'Everybody with an account may come in and run jobs; whoever stands here has the role given here.'}
        </Text>
        <MemberList room={name} members={members} />
        <AddMember room={name} />
      </Stack>
    </Modal>
  )
}

function useSetMember(room: string): UseMutationResult<RoomView, Error, Member> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ user, role }) => call(routes.setMember, { params: { room, user }, body: { role } }),
    onSuccess: (changed) => {
      client.setQueryData(['room', room], changed)
      return client.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
}

function useRemoveMember(room: string): UseMutationResult<unknown, Error, string> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (user) => call(routes.removeMember, { params: { room, user } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['room', room] }),
        client.invalidateQueries({ queryKey: ['rooms'] }),
      ]),
  })
}

function MemberList({
  room,
  members,
}: {
  readonly room: string
  readonly members: readonly Member[]
}): ReactElement {
  const change = useSetMember(room)
  const remove = useRemoveMember(room)
  const fault = change.error ?? remove.error
  return (
    <Stack gap={6} component="ul" aria-label="Members" p={0} m={0} style={{ listStyle: 'none' }}>
      {members.map(({ user, role }) => (
        <Group key={user} component="li" gap="xs" wrap="nowrap">
          <Text flex={1} truncate>
            {user}
          </Text>
          <Select
            size="xs"
            w={170}
            aria-label={`What ${user} may do`}
            data={roles}
            value={role}
            onChange={(next) => {
              remove.reset()
              change.mutate({ user, role: next as Role })
            }}
            allowDeselect={false}
            disabled={change.isPending}
          />
          <IconButton
            label={`Remove ${user}`}
            icon={IconUserMinus}
            onClick={() => {
              change.reset()
              remove.mutate(user)
            }}
          />
        </Group>
      ))}
      {fault && (
        <li>
          <ProblemNote fault={fault} />
        </li>
      )}
    </Stack>
  )
}

function AddMember({ room }: { readonly room: string }): ReactElement {
  const [user, setUser] = useState('')
  const [role, setRole] = useState<Role>('member')
  const { mutate, error, isPending } = useSetMember(room)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    mutate({ user: user.trim(), role }, { onSuccess: () => setUser('') })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label="Name of an account"
          placeholder="name of an account"
          data-autofocus
          required
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          error={error && problemText(error)}
        />
        <Select
          w={170}
          aria-label="What they may do"
          data={roles}
          value={role}
          onChange={(next) => setRole(next as Role)}
          allowDeselect={false}
        />
        <Button type="submit" loading={isPending} disabled={user.trim() === ''}>
          Add
        </Button>
      </Group>
    </form>
  )
}
