// The palette: pages and rooms from anywhere, and from within a room its extensions, and its jobs by their ids.

import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight'
import { IconBriefcase, IconDoor, IconPlayerPlay, IconSearch } from '@tabler/icons-react'
import { type ReactElement, useEffect, useState } from 'react'
import { useExtensions } from '../extension/extension-queries.ts'
import { useRooms } from '../room/room-queries.ts'
import { roomOfPath, usePath } from './address.ts'
import { go } from './go.tsx'
import { useListedPages } from './pages.ts'
import { placeOfJob, placeOfRoom, placeOfRun } from './places.ts'

export function Palette({ wanted }: { readonly wanted: number }): ReactElement {
  const [query, setQuery] = useState('')
  const room = roomOfPath(usePath())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that somebody wants it
  useEffect(spotlight.open, [wanted])
  const groups = [
    { group: 'Pages', actions: usePageActions() },
    { group: 'Rooms', actions: useRoomActions() },
    { group: room === null ? 'Run' : `Run in ${room}`, actions: useRunActions(room) },
    { group: 'Jobs', actions: jobActions(query, room) },
  ].filter(({ actions }) => actions.length > 0) as SpotlightActionGroupData[]
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      nothingFound="Nothing of that name"
      highlightQuery
      limit={12}
      scrollable
      maxHeight={420}
      // Without a title it is a dialog without a name.
      attributes={{ content: { 'aria-label': 'Find or do' } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder:
          room === null
            ? 'A page or a room…'
            : `A page, a room, an extension of ${room}, or the whole id of a job of it…`,
        'aria-label': 'Find or do',
      }}
    />
  )
}

function usePageActions(): SpotlightActionData[] {
  return useListedPages().map(({ name, to, icon: Icon }) => ({
    id: to,
    label: name,
    leftSection: <Icon size={18} stroke={1.7} />,
    onClick: () => go(to),
  }))
}

function useRoomActions(): SpotlightActionData[] {
  const { data = [] } = useRooms()
  return data.map(({ name }) => ({
    id: `room/${name}`,
    label: name,
    description: 'Enter the room',
    leftSection: <IconDoor size={18} stroke={1.7} />,
    onClick: () => go(placeOfRoom(name)),
  }))
}

function useRunActions(room: string | null): SpotlightActionData[] {
  const { data = [] } = useExtensions(room)
  if (room === null) return []
  return data.map(({ scope, category, name }) => ({
    id: `run/${scope}/${category}/${name}`,
    label: name,
    description: category,
    leftSection: <IconPlayerPlay size={18} stroke={1.7} />,
    onClick: () => go(placeOfRun(room, `${scope}/${category}/${name}`)),
  }))
}

const jobId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A job is addressed with its room: from within one its whole id is enough, and elsewhere it cannot be found by it. */
function jobActions(query: string, room: string | null): SpotlightActionData[] {
  const id = query.trim()
  if (room === null || !jobId.test(id)) return []
  return [
    {
      id: `job/${id}`,
      label: id,
      description: `Show this job in ${room}`,
      leftSection: <IconBriefcase size={18} stroke={1.7} />,
      onClick: () => go(placeOfJob(room, id)),
    },
  ]
}
