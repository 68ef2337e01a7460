// While a job goes on, what became of the attempt before: a line, because nothing is lost yet.

import { Text } from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { useNowText } from '../primitives/use-now.ts'
import { earlierText } from './attempt-words.ts'

export function EarlierAttempt({ job }: { readonly job: JobView }): ReactElement | null {
  const text = useNowText((now) => earlierText(job, now) ?? '')
  if (text === '') return null
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }} data-testid="earlier-attempt">
      {text}
    </Text>
  )
}
