// Every option the server goes by, and who chose it. Secrets are masked by the server.

import { Badge, Code, Group, Paper, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { type ReplyOf, routes } from '@millrace/protocol'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { call } from '../connection/api.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'

type Option = ReplyOf<typeof routes.getConfig>['options'][number]

export function ConfigurationPanel(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['configuration'],
    queryFn: async ({ signal }) => (await call(routes.getConfig, { signal })).options,
    refetchOnMount: 'always',
  })
  const [text, setText] = useState('')
  const [chosenOnly, setChosenOnly] = useState(false)
  const shown = (data ?? []).filter(
    (one) => (!chosenOnly || one.source !== 'default') && fits(one, text.trim().toLowerCase()),
  )
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <Stack gap="md">
      <Group gap="md">
        <TextInput
          size="xs"
          aria-label="Find an option"
          placeholder="find an option"
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={220}
        />
        <Switch
          size="xs"
          label="Only what somebody chose"
          checked={chosenOnly}
          onChange={(event) => setChosenOnly(event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed">
          Flags count before variables, variables before the file. A change needs a restart.
        </Text>
      </Group>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} />}
      {data && shown.length === 0 && <Text c="dimmed">No option fits.</Text>}
      {groups.map((group) => (
        <Paper
          key={group}
          component="section"
          aria-label={group}
          bg="var(--raised)"
          style={{ overflow: 'hidden' }}
        >
          <Title order={2} px="md" pt="sm" pb={4}>
            {group}
          </Title>
          <RowTable
            label={group}
            columns={columns}
            rows={shown.filter((one) => one.group === group)}
            keyOf={({ option }) => option}
          />
        </Paper>
      ))}
    </Stack>
  )
}

function fits({ option, is, value }: Option, text: string): boolean {
  return `${option} ${is} ${value}`.toLowerCase().includes(text)
}

const columns: readonly Column<Option>[] = [
  { name: 'Option', head: true, cell: ({ option }) => <strong>{option}</strong> },
  { name: 'Value', cell: ({ value }) => <Code style={{ overflowWrap: 'anywhere' }}>{value || '–'}</Code> },
  {
    name: 'From',
    cell: ({ source }) =>
      source === 'default' ? (
        <Text component="span" size="xs" c="dimmed">
          default
        </Text>
      ) : (
        <Badge variant="light">{source}</Badge>
      ),
  },
  { name: 'What it is', cell: ({ is }) => is },
]
