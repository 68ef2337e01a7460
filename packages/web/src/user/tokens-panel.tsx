// The tokens of workers: which hold, until when, making one for a pool, and ending one at once.

import { Badge, Code, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type KeptToken, routes } from '@millrace/protocol'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { call } from '../connection/api.ts'
import { Ago } from '../primitives/ago.tsx'
import { Confirm } from '../primitives/confirm.tsx'
import { instantText } from '../primitives/duration.ts'
import { EmptyState } from '../primitives/empty-state.tsx'
import { IconButton } from '../primitives/icon-button.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { PoolToken } from './pool-token.tsx'
import { tokensKey, useTokens } from './token-queries.ts'

export function TokensPanel(): ReactElement {
  const { data, error, refetch } = useTokens()
  return (
    <Paper component="section" aria-label="Tokens" bg="var(--raised)" style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="md" py="sm">
        <Text size="sm" c="dimmed">
          What workers sign in with. The tokens themselves are shown once, when they are made.
        </Text>
        <PoolToken />
      </Group>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data?.length === 0 && (
        <EmptyState icon={IconKey} title="No token holds">
          "Connect a worker" in a room makes one for that room. A pool on another machine needs one from here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <RowTable label="Tokens" columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
    </Paper>
  )
}

const columns: readonly Column<KeptToken>[] = [
  { name: 'Token', head: true, cell: ({ id }) => <Code title={id}>…{id.slice(-8)}</Code> },
  {
    name: 'For',
    cell: ({ room }) => (room === null ? <Badge variant="default">a pool</Badge> : `workers of ${room}`),
  },
  { name: 'Made by', cell: ({ madeBy }) => madeBy },
  { name: 'Made', end: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { name: 'Holds until', end: true, cell: ({ expiresAt }) => instantText(expiresAt) },
  { name: 'Revoke', end: true, cell: (token) => <Revoke token={token} /> },
]

function Revoke({ token: { id, room } }: { readonly token: KeptToken }): ReactElement {
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(routes.revokeToken, { params: { id } }),
    onSuccess: () => {
      close()
      return client.invalidateQueries({ queryKey: tokensKey })
    },
  })
  return (
    <>
      <IconButton label={`Revoke …${id.slice(-8)}`} icon={IconTrash} onClick={open} />
      {opened && (
        <Confirm
          title="Revoke a token"
          act="Revoke it"
          danger
          pending={isPending}
          fault={error}
          onAct={() => mutate()}
          onClose={close}
        >
          <Stack gap={4}>
            <span>
              Workers {room === null ? 'of the pool' : `of ${room}`} that use it are cut off at once; their
              jobs go to others.
            </span>
          </Stack>
        </Confirm>
      )}
    </>
  )
}
