// What a worker of this replica runs, as far as it belongs to rooms that the caller may read.

import { type Caller, type JobId, mayRead, type RoomName, type WorkerId } from '@millrace/domain'
import type { WorkerViewParts } from './list-workers.ts'

export interface RunningJob {
  readonly room: RoomName
  readonly job: JobId
}

/** A screen links to some; `running` says how many they are. */
const jobsNamed = 100

export async function jobsOnWorker(
  { rooms, roster }: Pick<WorkerViewParts, 'rooms' | 'roster'>,
  who: Caller,
  worker: WorkerId,
): Promise<readonly RunningJob[]> {
  const seen: RunningJob[] = []
  for (const { room, job } of roster.get(worker)?.running.values() ?? []) {
    if (seen.length === jobsNamed) break
    const known = await rooms.get(room)
    if (known && mayRead(known.value, who)) seen.push({ room, job })
  }
  return seen
}
