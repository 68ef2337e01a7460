// The next page of a list that is not scrolled for it.

import { Button, Group } from '@mantine/core'
import type { ReactElement } from 'react'

interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
  readonly children: string
}

export function MoreButton({ query, children }: MoreProps): ReactElement | null {
  if (!query.hasNextPage) return null
  return (
    <Group justify="center" py="xs">
      <Button
        size="xs"
        variant="subtle"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {children}
      </Button>
    </Group>
  )
}
