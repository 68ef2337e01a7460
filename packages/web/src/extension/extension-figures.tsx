// How an extension does, room by room.

import { Text } from '@mantine/core'
import type { ReactElement } from 'react'
import { durationText } from '../primitives/duration.ts'
import { type Column, RowTable } from '../primitives/row-table.tsx'
import { Go } from '../shell/go.tsx'
import { placeOfRoom } from '../shell/places.ts'
import type { ExtensionSum, RoomFigures } from './extension-sums.ts'

export function ExtensionFigures({ sum }: { readonly sum: ExtensionSum }): ReactElement {
  if (sum.rooms.length === 0)
    return (
      <Text c="dimmed" size="sm">
        It has not been run yet in a room that you may see.
      </Text>
    )
  return (
    <>
      <RowTable label="By room" columns={columns} rows={sum.rooms} keyOf={({ room }) => room ?? ''} />
      <Text c="dimmed" size="xs" mt="xs">
        Times are those of the last jobs that ended; half of them were no longer than p50, all but one in
        twenty no longer than p95.
      </Text>
    </>
  )
}

const columns: readonly Column<RoomFigures>[] = [
  {
    name: 'Room',
    head: true,
    cell: ({ room }) => (room === null ? 'all' : <Go to={placeOfRoom(room)}>{room}</Go>),
  },
  { name: 'Waiting', end: true, cell: ({ pending }) => pending },
  { name: 'Running', end: true, cell: ({ running }) => running },
  { name: 'Completed', end: true, cell: ({ completed }) => completed.toLocaleString() },
  { name: 'Failed', end: true, cell: ({ failed }) => failed.toLocaleString() },
  { name: 'Wait p50 / p95', end: true, cell: (one) => pair(one.waitMsP50, one.waitMsP95) },
  { name: 'Run p50 / p95', end: true, cell: (one) => pair(one.runMsP50, one.runMsP95) },
]

function pair(p50: number | null, p95: number | null): string {
  return p50 === null || p95 === null ? '–' : `${durationText(p50)} / ${durationText(p95)}`
}
