// Why a job waits: its place, about how long, and the reason in a sentence.

import { Group, Paper, Stack, Text } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import { IconHourglassLow } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { aboutText, withLocalTimes } from '../primitives/duration.ts'
import { useWhy } from './job-queries.ts'
import { isEnded } from './job-row.ts'

export function WhyCard({ job }: { readonly job: JobView }): ReactElement | null {
  const { data: why } = useWhy(job)
  if (!why || isEnded(job.status) || job.status === 'running') return null
  const { ahead, estimateMs, sentence, reason } = why
  const place = ahead === null ? null : ahead === 0 ? 'Next in line' : `${ahead} ahead`
  const estimate = estimateMs === null ? null : aboutText(estimateMs)
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="Why it waits">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <IconHourglassLow size={20} color="var(--word-pending)" aria-hidden />
        <Stack gap={2}>
          <Text fw={600} fz="lg">
            {[place, estimate].filter((each) => each !== null).join(', ') || 'It waits'}
          </Text>
          <Text>{withLocalTimes(sentence)}</Text>
          {reason !== null && (
            <Text size="xs" c="dimmed">
              <code>{reason}</code>
            </Text>
          )}
        </Stack>
      </Group>
    </Paper>
  )
}
