// Making an account.

import { Button, Group, Modal, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { routes } from '@millrace/protocol'
import { IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type SubmitEvent, useState } from 'react'
import { call } from '../connection/api.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'

export function CreateUser(): ReactElement {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" leftSection={<IconUserPlus size={15} />} onClick={open}>
        New user
      </Button>
      <Modal opened={opened} onClose={close} title="A new user" closeButtonProps={{ 'aria-label': 'Close' }}>
        <UserForm onDone={close} />
      </Modal>
    </>
  )
}

function UserForm({ onDone }: { readonly onDone: () => void }): ReactElement {
  const client = useQueryClient()
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<'user' | 'admin'>('user')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(routes.createUser, { body: { user, password, role } }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: ['users'] })
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {error && <ProblemNote fault={error} />}
        <TextInput
          label="Name"
          description="Lower-case letters, digits, - _ and ."
          data-autofocus
          required
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description="8 characters or more"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Role"
          value={role}
          onChange={(next) => setRole(next as typeof role)}
          data={[
            { value: 'user', label: 'User' },
            { value: 'admin', label: 'Admin' },
          ]}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Make the account
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
