// What a toast says when a job was submitted, with the way to it.

import { Group, Text } from '@mantine/core'
import type { ReactElement } from 'react'
import { Go } from '../shell/go.tsx'
import { placeOfJob } from '../shell/places.ts'

export function SubmittedToast({
  room,
  id,
  extension,
}: {
  readonly room: string
  readonly id: string
  readonly extension: string
}): ReactElement {
  return (
    <Group gap="xs">
      <Text size="sm">{extension} is on its way.</Text>
      <Go to={placeOfJob(room, id)}>Show the job</Go>
    </Group>
  )
}
