// Jobs across the rooms that somebody may see.

import { type Caller, mayRead } from '@millrace/domain'
import { type JobsPage, type JobsQuery, listJobs } from '../job/list-jobs.ts'
import type { Store } from '../ports/store.ts'
import type { Rooms } from './rooms.ts'

export function visibleJobs(
  { store, rooms }: { readonly store: Store; readonly rooms: Rooms },
  who: Caller,
  query: Omit<JobsQuery, 'room' | 'mayShow'>,
): Promise<JobsPage> {
  const mayShow = async (name: string): Promise<boolean> => {
    const room = await rooms.get(name)
    return room !== null && mayRead(room.value, who)
  }
  return listJobs(store, { ...query, room: null, mayShow })
}
