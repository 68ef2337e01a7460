// The rooms one may see, heard of as long as a page over all of them is there.

import { useWatchAll } from '../shell/live.ts'
import { useRooms } from './room-queries.ts'

/** Each room is joined for itself; beyond these, sums move when something else does. */
const liveRooms = 300

const none: readonly string[] = []

export function useAllRooms(): readonly string[] {
  const { data } = useRooms()
  const names = data?.map(({ name }) => name) ?? none
  useWatchAll(names.slice(0, liveRooms))
  return names
}
