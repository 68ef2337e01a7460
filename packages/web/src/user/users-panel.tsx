// Accounts: who has one, what they may do, and making and removing them.

import { Group, Paper, Select, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { routes, type UserView } from '@millrace/protocol'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { call } from '../connection/api.ts'
import { session } from '../connection/session.ts'
import { useSignal } from '../connection/signal.ts'
import { Ago } from '../primitives/ago.tsx'
import { Confirm } from '../primitives/confirm.tsx'
import { IconButton } from '../primitives/icon-button.tsx'
import { ProblemNote, problemText } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { CreateUser } from './create-user.tsx'

export const usersKey = ['users'] as const

export function UsersPanel(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: usersKey,
    queryFn: async ({ signal }) => (await call(routes.listUsers, { signal })).users,
    refetchOnMount: 'always',
  })
  return (
    <Paper component="section" aria-label="Users" bg="var(--raised)" style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="md" py="sm">
        <Text size="sm" c="dimmed">
          A change of role ends the sessions it concerns.
        </Text>
        <CreateUser />
      </Group>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data && <RowTable label="Users" columns={columns} rows={data} keyOf={({ user }) => user} />}
    </Paper>
  )
}

const columns: readonly Column<UserView>[] = [
  { name: 'User', head: true, cell: ({ user }) => <strong>{user}</strong> },
  { name: 'Role', cell: (user) => <Role of={user} /> },
  { name: 'Made', end: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { name: 'Remove', end: true, cell: (user) => <Remove of={user} /> },
]

function Role({ of: { user, role } }: { readonly of: UserView }): ReactElement {
  const me = useSignal(session)?.user
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (next: 'user' | 'admin') =>
      call(routes.changeUser, { params: { user }, body: { role: next } }),
    onSuccess: () => client.invalidateQueries({ queryKey: usersKey }),
    onError: (fault) => notifications.show({ color: 'red', message: problemText(fault) }),
  })
  if (user === me) return <>{role}</>
  return (
    <Select
      size="xs"
      aria-label={`Role of ${user}`}
      data={['user', 'admin']}
      value={role}
      disabled={isPending}
      allowDeselect={false}
      onChange={(next) => next !== null && mutate(next as 'user' | 'admin')}
      w={110}
    />
  )
}

function Remove({ of: { user } }: { readonly of: UserView }): ReactElement | null {
  const me = useSignal(session)?.user
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(routes.removeUser, { params: { user } }),
    onSuccess: () => {
      close()
      return client.invalidateQueries({ queryKey: usersKey })
    },
  })
  if (user === me) return <Text size="xs">you</Text>
  return (
    <>
      <IconButton label={`Remove ${user}`} icon={IconTrash} onClick={open} />
      {opened && (
        <Confirm
          title={`Remove ${user}`}
          act="Remove the account"
          danger
          pending={isPending}
          fault={error}
          onAct={() => mutate()}
          onClose={close}
        >
          Their sessions and tokens end at once. Their jobs stay where they are.
        </Confirm>
      )}
    </>
  )
}
