// Errors that are alike as one: how often, since when, where, and a job that shows it.

import { Button, Group, Skeleton, Text } from '@mantine/core'
import type { ErrorGroup } from '@millrace/protocol'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { Ago } from '../primitives/ago.tsx'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { Go } from '../shell/go.tsx'
import { placeOfJob } from '../shell/places.ts'
import styles from './error-groups.module.css'
import { useErrors } from './error-queries.ts'

interface GroupsProps {
  readonly room: string | null
  readonly onChoose: (group: ErrorGroup) => void
}

export function ErrorGroups({ room, onChoose }: GroupsProps): ReactElement {
  const { data, error, refetch } = useErrors(room)
  if (error) return <ProblemNote fault={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  if (data.errors.length === 0)
    return (
      <EmptyState icon={IconCircleCheck} title="Nothing has gone wrong lately">
        When jobs fail, errors that are alike stand here as one, with how often they were seen. They are
        remembered for 14 days.
      </EmptyState>
    )
  return (
    <>
      <RowTable
        label="Errors"
        columns={columnsWith(onChoose)}
        rows={data.errors}
        keyOf={({ fingerprint, scope, category, extension }) =>
          [fingerprint, scope, category, extension].join(' ')
        }
      />
      {data.more && (
        <Text size="xs" c="dimmed" px="md" py="xs">
          There are more; these are the latest.
        </Text>
      )}
    </>
  )
}

function columnsWith(onChoose: GroupsProps['onChoose']): readonly Column<ErrorGroup>[] {
  return [
    { name: 'Error', head: true, cell: (group) => <What group={group} /> },
    { name: 'Seen', end: true, cell: ({ count }) => `${count.toLocaleString()} ×` },
    { name: 'Last', end: true, cell: ({ lastAt }) => <Ago at={lastAt} /> },
    { name: 'First', end: true, cell: ({ firstAt }) => <Ago at={firstAt} /> },
    { name: 'Rooms', cell: ({ rooms }) => rooms.map(({ room, count }) => `${room} (${count})`).join(', ') },
    {
      name: 'Look',
      end: true,
      cell: (group) => (
        <Group gap={10} wrap="nowrap" justify="flex-end">
          <Go to={placeOfJob(group.example.room, group.example.job)}>An example</Go>
          <Button size="compact-xs" variant="default" onClick={() => onChoose(group)}>
            Its dead letters
          </Button>
        </Group>
      ),
    },
  ]
}

function What({ group }: { readonly group: ErrorGroup }): ReactElement {
  const { name, pattern, category, extension, place, example } = group
  return (
    <div title={example.message}>
      <div className={styles.message}>
        {name !== null && <strong>{name}: </strong>}
        {pattern}
      </div>
      <Text size="xs" c="dimmed">
        {category} / {extension}
        {place !== null && (
          <>
            , at <code>{place}</code>
          </>
        )}
      </Text>
    </div>
  )
}
