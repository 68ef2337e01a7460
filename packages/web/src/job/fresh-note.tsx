// "12 new, show": rows that have come do not push away those that somebody is looking at.

import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import type { JobList } from './use-job-list.ts'

export function FreshNote({ list: { fresh, showFresh } }: { readonly list: JobList }): ReactElement | null {
  if (fresh === 0) return null
  return (
    <Button
      size="compact-xs"
      radius="xl"
      variant="filled"
      leftSection={<IconArrowUp size={13} aria-hidden />}
      onClick={showFresh}
    >
      {fresh.toLocaleString()} new, show
    </Button>
  )
}
