// The tries at a job: who had it, when, and how each ended.

import { Paper, Table, Text, Title } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { clockText, durationText, instantText } from '../primitives/duration.ts'
import { useNow } from '../primitives/use-now.ts'
import { outcomeText } from './attempt-words.ts'

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
        <Table.ScrollContainer minWidth={380} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
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
                <Row key={attempt.assignedAt} attempt={attempt} number={index + 1} job={job} />
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
  job,
}: {
  readonly attempt: Attempt
  readonly number: number
  readonly job: JobView
}): ReactElement {
  const { worker, assignedAt, startedAt, endedAt, outcome, error } = attempt
  const code = [outcome, error?.message].filter((each) => each !== undefined).join(': ')
  const now = useNow(endedAt === undefined)
  const began = startedAt ?? assignedAt
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td
        maw={170}
        style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        title={worker}
      >
        {worker}
      </Table.Td>
      <Table.Td title={instantText(began)}>{clockText(began)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {startedAt === undefined ? ranNot(attempt) : durationText((endedAt ?? now) - startedAt)}
      </Table.Td>
      <Table.Td title={code}>{outcomeText(job, attempt)}</Table.Td>
    </Table.Tr>
  )
}

function ranNot({ endedAt }: Attempt): string {
  return endedAt === undefined ? 'not yet' : 'never'
}
