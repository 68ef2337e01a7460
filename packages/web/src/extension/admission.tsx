// Whose workers may serve an extension beside its owner's.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { routes } from '@millrace/protocol'
import { IconUserPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type SubmitEvent, useState } from 'react'
import { call } from '../connection/api.ts'
import { IconButton } from '../primitives/icon-button.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Detail, detailKey } from './extension-overview.ts'
import type { ExtensionSum } from './extension-sums.ts'

interface AdmissionProps {
  readonly sum: ExtensionSum
  readonly detail: Detail
  readonly may: boolean
}

export function Admission({ sum, detail, may }: AdmissionProps): ReactElement {
  const { via: room, scope, category, name } = sum
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ user, admit }: { readonly user: string; readonly admit: boolean }) =>
      call(admit ? routes.admitUser : routes.dismissUser, { params: { room, scope, category, name, user } }),
    onSuccess: (changed, { admit }) => {
      client.setQueryData(detailKey(sum), changed)
      if (admit) setTyped('')
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    mutate({ user: typed.trim(), admit: true })
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        <strong>{detail.owner}</strong> brought it, and decides whose workers may serve it as well.
      </Text>
      {error && <ProblemNote fault={error} />}
      {detail.admitted.map((user) => (
        <Group key={user} gap="xs">
          <Text size="sm">{user}</Text>
          {may && (
            <IconButton
              label={`No longer let ${user} serve it`}
              icon={IconX}
              onClick={() => mutate({ user, admit: false })}
            />
          )}
        </Group>
      ))}
      {detail.admitted.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody else was let in yet.
        </Text>
      )}
      {may && (
        <form onSubmit={submit}>
          <Group gap="xs">
            <TextInput
              size="xs"
              aria-label="User to let in"
              placeholder="name of a user"
              required
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" loading={isPending} leftSection={<IconUserPlus size={14} />}>
              Let them serve it
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  )
}
