// Asks the healed cluster about every job, once all of them have ended or the time for it is over.

import { setTimeout as pause } from 'node:timers/promises'
import type { JobsPage, JobView, LogLine } from '@millrace/protocol'
import type { ApiClient } from '../../server/api-client.ts'
import { isEnd, type RoomReader } from '../load/room-reader.ts'
import type { JobStory } from './evidence.ts'

const lookEveryMs = 250

/** Whether no job of these rooms is open any more, before the deadline. */
export async function allEnded(
  client: ApiClient,
  rooms: readonly string[],
  deadlineMs: number,
): Promise<boolean> {
  const before = performance.now() + deadlineMs
  for (;;) {
    const open = await Promise.all(rooms.map((room) => countOpen(client, room)))
    if (open.every((count) => count === 0)) return true
    if (performance.now() > before) return false
    await pause(lookEveryMs)
  }
}

/** Whether all readers have heard the end of everything they know of, before the deadline. */
export async function allHeard(
  readers: readonly RoomReader[],
  jobs: ReadonlyMap<string, JobStory>,
  deadlineMs: number,
): Promise<boolean> {
  const before = performance.now() + deadlineMs
  const stories = [...jobs.values()]
  const knows = ({ room, view }: RoomReader): boolean =>
    stories.every((story) => story.room !== room || view.get(story.id) === story.status)
  while (!readers.every(knows)) {
    if (performance.now() > before) return false
    await pause(lookEveryMs)
  }
  return true
}

export async function collectJobs(
  client: ApiClient,
  rooms: readonly string[],
): Promise<ReadonlyMap<string, JobStory>> {
  const jobs = new Map<string, JobStory>()
  for (const room of rooms) {
    for (const id of await idsOf(client, room)) jobs.set(id, await storyOf(client, room, id))
  }
  return jobs
}

async function countOpen(client: ApiClient, room: string): Promise<number> {
  const path = `/api/rooms/${room}/jobs?limit=1&status=pending,assigned,running`
  try {
    const { status, body } = await client.call<JobsPage>('GET', path)
    return status === 200 ? body.jobs.length : 1
  } catch {
    // The last of the killed servers may just be coming back.
    return 1
  }
}

async function idsOf(client: ApiClient, room: string): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/api/rooms/${room}/jobs?limit=500&order=oldest${more}`
    const page: JobsPage = await client.expect<JobsPage>(200, 'GET', path)
    ids.push(...page.jobs.map(({ id }) => id))
    cursor = page.cursor
  }
  return ids
}

async function storyOf(client: ApiClient, room: string, id: string): Promise<JobStory> {
  const path = `/api/rooms/${room}/jobs/${id}`
  const view = await client.expect<JobView>(200, 'GET', path)
  const { events } = await client.expect<{ events: JobStory['history'] }>(200, 'GET', `${path}/events`)
  const { lines } = await client.expect<{ lines: LogLine[] }>(200, 'GET', `${path}/logs`)
  const { status, createdAt, endedAt, result, attempts } = view
  return {
    id,
    room,
    status,
    createdAt,
    ...(endedAt !== undefined && isEnd(status) && { endedAt }),
    ...(result !== undefined && { result }),
    attempts,
    history: events,
    log: lines.map(({ text }) => text),
  }
}
