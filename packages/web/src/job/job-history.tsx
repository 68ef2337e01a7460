// What happened to a job, step by step.

import { Paper, Stack, Text, Title } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { clockText, durationText, instantText } from '../primitives/duration.ts'
import { stepText } from './attempt-words.ts'
import styles from './job-history.module.css'
import { useJobEvents } from './job-queries.ts'
import { StatusMark } from './status-mark.tsx'

export function JobHistory({ job }: { readonly job: JobView }): ReactElement {
  const { data } = useJobEvents(job.room, job.id)
  const events = data?.events ?? []
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="History">
      <Title order={2} mb="xs">
        History
      </Title>
      <Stack gap={0} component="ol" className={styles.history}>
        {events.map((step, index) => {
          const { at, status, reason } = step
          const before = events[index - 1]?.at
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
            <li key={index}>
              <time dateTime={new Date(at).toISOString()} title={instantText(at)}>
                {clockText(at)}
              </time>
              <StatusMark status={status} size={14} />
              <Text component="span" size="sm" c="dimmed" title={reason}>
                {stepText(job, step)}
                {before !== undefined && `, after ${durationText(at - before)}`}
              </Text>
            </li>
          )
        })}
      </Stack>
    </Paper>
  )
}
