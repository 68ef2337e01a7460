// "12 new, show": rows that have come do not push away those that somebody is looking at.

import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { type ReactElement, useEffect } from 'react'
import { type JobList, useFresh } from './use-job-list.ts'

interface FreshProps {
  readonly list: Pick<JobList, 'room' | 'filter' | 'query'>
  /** They appear by themselves: only where nobody is about to click on another row. */
  readonly follows?: boolean
}

export function FreshNote({ list, follows = false }: FreshProps): ReactElement | null {
  const { count, show } = useFresh(list)
  useEffect(() => {
    if (follows && count > 0) show()
  }, [follows, count, show])
  if (count === 0 || follows) return null
  return (
    <Button
      size="compact-xs"
      radius="xl"
      variant="filled"
      leftSection={<IconArrowUp size={13} aria-hidden />}
      onClick={show}
    >
      {count.toLocaleString()} new, show
    </Button>
  )
}
