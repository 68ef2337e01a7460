// What happened to a job, step by step.

import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactElement } from 'react'
import { clockText, durationText, instantText } from '../primitives/duration.ts'
import styles from './job-history.module.css'
import { useJobEvents } from './job-queries.ts'
import { StatusMark } from './status-mark.tsx'

export function JobHistory({ room, id }: { readonly room: string; readonly id: string }): ReactElement {
  const { data } = useJobEvents(room, id)
  const events = data?.events ?? []
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="History">
      <Title order={2} mb="xs">
        History
      </Title>
      <Stack gap={0} component="ol" className={styles.history}>
        {events.map(({ at, status, reason, by }, index) => {
          const before = events[index - 1]?.at
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
            <li key={index}>
              <time dateTime={new Date(at).toISOString()} title={instantText(at)}>
                {clockText(at)}
              </time>
              <StatusMark status={status} size={14} />
              <Text component="span" size="sm" c="dimmed">
                {reason.replaceAll('_', ' ')}
                {by !== undefined && ` by ${by}`}
                {before !== undefined && `, after ${durationText(at - before)}`}
              </Text>
            </li>
          )
        })}
      </Stack>
    </Paper>
  )
}
