// The palette: pages, rooms and what they can run, and jobs by their whole ids, over all rooms one may see.

import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight'
import type { JobSummary } from '@millrace/protocol'
import { IconBriefcase, IconDoor, IconPlayerPlay, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useEffect, useState } from 'react'
import { keyOfExtension } from '../extension/extension-queries.ts'
import { fetchRunnable } from '../extension/fetch-runnable.ts'
import { findJob, idIn } from '../job/find-job.ts'
import { useRooms } from '../room/room-queries.ts'
import { roomOfPath, usePath } from './address.ts'
import { go } from './go.tsx'
import { lastRoom } from './last-room.ts'
import { useListedPages } from './pages.ts'
import { placeOfJob, placeOfRoom, placeOfRun } from './places.ts'

export function Palette({ wanted }: { readonly wanted: number }): ReactElement {
  const [query, setQuery] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that somebody wants it
  useEffect(spotlight.open, [wanted])
  const groups = [
    { group: 'Pages', actions: usePageActions() },
    { group: 'Rooms', actions: useRoomActions() },
    ...useRunActions(wanted),
    { group: 'Jobs', actions: useJobActions(idIn(query), wanted) },
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
      // Upon the colour of what is chosen, less would not be legible.
      styles={{ actionDescription: { opacity: 1 } }}
      // Without a title it is a dialog without a name.
      attributes={{ content: { 'aria-label': 'Find or do' } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'A page, a room, an extension, or the whole id of a job…',
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

/** Those of the room that one is in, or was in last, and then those that other rooms have of their own. */
function useRunActions(wanted: number): readonly Pick<SpotlightActionGroupData, 'group' | 'actions'>[] {
  const names = useRooms().data?.map(({ name }) => name) ?? []
  const near = [roomOfPath(usePath()), lastRoom()].find((name) => name !== null && names.includes(name))
  const room = near ?? names[0]
  const { data = [] } = useQuery({
    queryKey: ['runnable', room, wanted],
    queryFn: ({ signal }) => fetchRunnable(room ?? '', signal),
    enabled: room !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const actions = data.map((one) => ({
    id: `run/${one.room}/${keyOfExtension(one)}`,
    label: one.name,
    description: `${one.category}, in ${one.room}`,
    leftSection: <IconPlayerPlay size={18} stroke={1.7} />,
    onClick: () => go(placeOfRun(one.room, keyOfExtension(one))),
  }))
  const here = data.filter((one) => one.room === room).length
  return [
    { group: `Run in ${room}`, actions: actions.slice(0, here) },
    { group: 'Run elsewhere', actions: actions.slice(here) },
  ]
}

/** There from the moment that the id is whole, so that Enter means it; whether there is such a job is said when it is known. */
function useJobActions(id: string | null, wanted: number): SpotlightActionData[] {
  const client = useQueryClient()
  const asked = {
    queryKey: ['job-by-id', id, wanted],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => findJob(id ?? '', signal),
  }
  const found = useQuery({ ...asked, enabled: id !== null })
  if (id === null) return []
  const show = async (): Promise<void> => {
    const job = await client.fetchQuery(asked).catch(() => null)
    if (!job) return
    spotlight.close()
    go(placeOfJob(job.room, id))
  }
  return [
    {
      id: `job/${id}`,
      label: id,
      description: wordsOf(found),
      leftSection: <IconBriefcase size={18} stroke={1.7} />,
      closeSpotlightOnTrigger: false,
      onClick: () => void show(),
    },
  ]
}

function wordsOf({ data, isError }: UseQueryResult<JobSummary | null>): string {
  if (isError) return 'The server could not be asked for this job'
  if (data === undefined) return 'Looking for this job…'
  return data === null ? 'No room that you may see has this job' : `Show this job in ${data.room}`
}
