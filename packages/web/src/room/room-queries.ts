// What pages ask about rooms and their locks.

import { type LockView, type RoomView, routes } from '@millrace/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../connection/api.ts'

const pageSize = 500

/** All rooms one may see; the server gives them by pages. */
async function fetchRooms(signal: AbortSignal): Promise<readonly RoomView[]> {
  const rooms: RoomView[] = []
  let after: string | undefined
  do {
    const page = await call(routes.listRooms, {
      query: { limit: pageSize, ...(after !== undefined && { after }) },
      signal,
    })
    rooms.push(...page.rooms)
    after = page.after
  } while (after !== undefined)
  return rooms
}

export const roomsQuery: {
  readonly queryKey: readonly ['rooms']
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly RoomView[]>
} = { queryKey: ['rooms'], queryFn: ({ signal }) => fetchRooms(signal) }

/** Whoever can no longer see a room is not told so: the list is asked for again where it is looked at. */
export function useRooms(): UseQueryResult<readonly RoomView[]> {
  return useQuery({ ...roomsQuery, refetchOnMount: 'always' })
}

export function useRoom(room: string): UseQueryResult<RoomView> {
  return useQuery({
    queryKey: ['room', room],
    queryFn: ({ signal }) => call(routes.getRoom, { params: { room }, signal }),
  })
}

export function useLocks(room: string): UseQueryResult<readonly LockView[]> {
  return useQuery({
    queryKey: ['locks', room],
    queryFn: async ({ signal }) => (await call(routes.listLocks, { params: { room }, signal })).locks,
  })
}
