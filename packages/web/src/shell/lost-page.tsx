// An address that leads nowhere.

import { Center } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { EmptyState } from '../primitives/empty-state.tsx'
import { Go } from './go.tsx'
import { places } from './places.ts'

export function LostPage(): ReactElement {
  return (
    <Center mih="60dvh" component="main">
      <EmptyState
        icon={IconMapQuestion}
        title="There is no page here"
        action={<Go to={places.rooms}>To the rooms</Go>}
      >
        The address may be mistyped, or the link is older than this version.
      </EmptyState>
    </Center>
  )
}
