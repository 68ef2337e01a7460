// Narrows a list to one room, or to none in particular.

import { Select } from '@mantine/core'
import type { ReactElement } from 'react'

interface RoomSelectProps {
  readonly rooms: readonly string[]
  readonly room: string | null
  readonly onChange: (room: string | null) => void
}

export function RoomSelect({ rooms, room, onChange }: RoomSelectProps): ReactElement {
  return (
    <Select
      size="xs"
      aria-label="Room"
      placeholder="all rooms"
      data={[...rooms]}
      value={room}
      onChange={onChange}
      clearable
      searchable
      w={150}
    />
  )
}
