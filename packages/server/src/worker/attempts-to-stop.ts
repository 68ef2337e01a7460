// Of the attempts that a pull worker names when it beats, those it has to stop. It may have been given them by another
// replica than the one it beats at: of what is not known here, the store says whose it is.

import {
  type AttemptToken,
  isRefusal,
  type Job,
  type JobId,
  parseRoomName,
  type WorkerId,
} from '@millrace/domain'
import { jobKey, jobOfRecord } from '../job/job-record.ts'
import type { Store } from '../ports/store.ts'
import type { PullChannel } from './pull-channel.ts'
import type { AttemptName } from './resume-worker.ts'
import type { Stationed } from './roster.ts'

/** Records come with the data of their jobs, and a worker may name thousands. */
const readAtOnce = 100

export interface PullStation extends Pick<Stationed, 'running'> {
  readonly channel: PullChannel
}

export async function attemptsToStop(
  store: Store,
  worker: WorkerId,
  { channel, running }: PullStation,
  named: readonly AttemptName[],
): Promise<readonly AttemptName[]> {
  const told = new Set(channel.toStop(named.map(({ token }) => token)))
  const unknown = named.filter(({ token }) => !running.has(token as AttemptToken))
  const over = await overOf(store, worker, unknown)
  return named.filter((name) => told.has(name.token) || over.has(name))
}

async function overOf(
  store: Store,
  worker: WorkerId,
  names: readonly AttemptName[],
): Promise<ReadonlySet<AttemptName>> {
  const over = new Set<AttemptName>()
  for (const [room, ofRoom] of byRoom(names)) {
    for (const some of slicesOf(ofRoom)) {
      const jobs = await jobsOf(store, room, [...new Set(some.map(({ job }) => job))])
      for (const name of some) if (!goesOn(jobs.get(name.job), worker, name)) over.add(name)
    }
  }
  return over
}

/** What was cancelled is to be stopped, though it is the current attempt until it has been. */
function goesOn(job: Job | undefined, worker: WorkerId, { token }: AttemptName): boolean {
  return job?.attempt?.token === token && job.attempt.worker === worker && job.cancel === undefined
}

async function jobsOf(store: Store, room: string, ids: readonly string[]): Promise<ReadonlyMap<string, Job>> {
  if (isRefusal(parseRoomName(room))) return new Map()
  const records = await store.read(
    room,
    ids.map((id) => jobKey(id as JobId)),
  )
  return new Map(records.flatMap((record, at) => (record ? [[ids[at] ?? '', jobOfRecord(record)]] : [])))
}

function byRoom(names: readonly AttemptName[]): ReadonlyMap<string, AttemptName[]> {
  const rooms = new Map<string, AttemptName[]>()
  for (const name of names) {
    const others = rooms.get(name.room)
    if (others) others.push(name)
    else rooms.set(name.room, [name])
  }
  return rooms
}

function slicesOf(names: readonly AttemptName[]): readonly (readonly AttemptName[])[] {
  return Array.from({ length: Math.ceil(names.length / readAtOnce) }, (_, at) =>
    names.slice(at * readAtOnce, (at + 1) * readAtOnce),
  )
}
