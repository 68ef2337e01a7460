// What waits after a pass, and why, in the words that a job's own page has for it.

import { Text } from '@mantine/core'
import type { WaitingClass } from '@millrace/protocol'
import type { ReactElement } from 'react'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { Go } from '../shell/go.tsx'
import { placeOfRoom } from '../shell/places.ts'

export function WaitingList({ waiting }: { readonly waiting: readonly WaitingClass[] }): ReactElement {
  if (waiting.length === 0)
    return (
      <Text size="sm" c="dimmed" px="md" pb="sm">
        Nothing: everything that could be placed was.
      </Text>
    )
  return <RowTable label="What waits" columns={columns} rows={waiting} keyOf={keyOf} />
}

function keyOf({ room, scope, category, extension, hash }: WaitingClass): string {
  return [room, scope, category, extension, hash].join(' ')
}

const columns: readonly Column<WaitingClass>[] = [
  { name: 'Extension', head: true, cell: ({ category, extension }) => `${category} / ${extension}` },
  { name: 'Room', cell: ({ room }) => <Go to={placeOfRoom(room)}>{room}</Go> },
  { name: 'Waits', end: true, cell: ({ count }) => count.toLocaleString() },
  { name: 'Why', cell: ({ sentence }) => sentence },
]
