// The tries at a job: who had it, when, and how each ended.

import { Paper, Table, Text, Title } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { clockText, durationText, instantText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'

type Attempt = JobView['attempts'][number]

export function AttemptList({ job }: { readonly job: JobView }): ReactElement {
  const { attempts } = job
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="Attempts">
      <Title order={2} mb="xs">
        {attempts.length <= 1 ? 'Attempt' : `${attempts.length} attempts`}
      </Title>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed">
          No worker has it yet.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={380} scrollAreaProps={{ tabIndex: 0 }}>
          <Table fz="sm" className="numbers" verticalSpacing={5} horizontalSpacing={8}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>#</Table.Th>
                <Table.Th>Worker</Table.Th>
                <Table.Th>Began</Table.Th>
                <Table.Th>Ran</Table.Th>
                <Table.Th>Outcome</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempts.map((attempt, index) => (
                <Row key={attempt.assignedAt} attempt={attempt} number={index + 1} status={job.status} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  )
}

function Row({
  attempt,
  number,
  status,
}: {
  readonly attempt: Attempt
  readonly number: number
  readonly status: string
}): ReactElement {
  const { worker, assignedAt, startedAt, endedAt, outcome, error } = attempt
  const now = useNow(endedAt === undefined)
  const began = startedAt ?? assignedAt
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td maw={170} style={{ overflow: 'hidden', textOverflow: 'ellipsis' }} title={worker}>
        {worker}
      </Table.Td>
      <Table.Td title={instantText(began)}>{clockText(began)}</Table.Td>
      <Table.Td>{startedAt === undefined ? 'not yet' : durationText((endedAt ?? now) - startedAt)}</Table.Td>
      <Table.Td>{outcome ?? error?.message ?? (endedAt === undefined ? status : 'ended')}</Table.Td>
    </Table.Tr>
  )
}
