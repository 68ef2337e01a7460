// Who is in the room now.

import { Avatar, Tooltip } from '@mantine/core'
import { type PresenceView, routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { call } from '../connection/api.ts'

const shown = 5

function usePresence(room: string): UseQueryResult<PresenceView> {
  return useQuery({
    queryKey: ['presence', room],
    queryFn: ({ signal }) => call(routes.getPresence, { params: { room }, signal }),
  })
}

export function Presence({ room }: { readonly room: string }): ReactElement | null {
  const { data } = usePresence(room)
  if (!data || data.count === 0) return null
  const names = data.people.map(({ user }) => user)
  return (
    <Tooltip label={`In the room: ${names.join(', ')}`}>
      <Avatar.Group spacing={8} role="img" aria-label={`In the room: ${names.join(', ')}`}>
        {names.slice(0, shown).map((name) => (
          <Avatar key={name} name={name} size={28} color="race" variant="light" />
        ))}
        {data.count > shown && <Avatar size={28}>+{data.count - shown}</Avatar>}
      </Avatar.Group>
    </Tooltip>
  )
}
