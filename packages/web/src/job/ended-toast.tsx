// What a toast says when a job of mine has ended, with the way to it.

import { Group } from '@mantine/core'
import type { JobStatus } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { Go } from '../shell/go.tsx'
import { placeOfJob } from '../shell/places.ts'
import { StatusMark } from './status-mark.tsx'

export function EndedToast({
  room,
  id,
  extension,
  status,
}: {
  readonly room: string
  readonly id: string
  readonly extension: string
  readonly status: JobStatus
}): ReactElement {
  return (
    <Group gap="xs">
      <StatusMark status={status} word={`${extension} ${status}`} />
      <Go to={placeOfJob(room, id)}>Show the job</Go>
    </Group>
  )
}
