// The jobs that a request about many means: those it names, or those that a filter finds, in batches that are small enough
// to be held. Each is read anew before it is handed out, so that nobody acts on what a list once said.

import { type Job, type JobFilter, type JobId, meetsFilter } from '@millrace/domain'
import { instantOf, newId } from '../new-id.ts'
import type { Store } from '../ports/store.ts'
import { jobKey, jobOfRecord } from './job-record.ts'
import { listJobs, lookAtMost } from './list-jobs.ts'

export type Choice =
  | { readonly ids: readonly JobId[] }
  | {
      readonly filter: JobFilter
      readonly since?: number
      readonly until?: number
      /** Where an earlier request ended. */
      readonly cursor?: string
    }

export interface Batch {
  readonly jobs: readonly Job[]
  /** Named, and not there. */
  readonly absent: readonly JobId[]
  /** Where another request has to go on, should this be the last batch. */
  readonly next?: string
}

/** Of jobs whose data has its largest size these are as much as a page of the list. */
const batchSize = 100
const actOnAtMost = 1_000

export async function* chosenJobs(store: Store, room: string, choice: Choice): AsyncGenerator<Batch> {
  if ('ids' in choice) yield* namedJobs(store, room, choice.ids)
  else yield* foundJobs(store, room, choice)
}

async function* namedJobs(store: Store, room: string, ids: readonly JobId[]): AsyncGenerator<Batch> {
  const distinct = [...new Set(ids)]
  for (let from = 0; from < distinct.length; from += batchSize) {
    const batch = distinct.slice(from, from + batchSize)
    const jobs = await readJobs(store, room, batch)
    yield { jobs: [...jobs.values()], absent: batch.filter((id) => !jobs.has(id)) }
  }
}

async function* foundJobs(
  store: Store,
  room: string,
  choice: Exclude<Choice, { readonly ids: unknown }>,
): AsyncGenerator<Batch> {
  const { filter, since } = choice
  let { cursor, until } = walkOf(choice, store.now())
  for (let [looked, found] = [0, 0]; found < actOnAtMost && looked < lookAtMost; ) {
    const page = await listJobs(store, {
      room,
      filter,
      order: 'oldest',
      limit: batchSize,
      until,
      ...(since !== undefined && { since }),
      ...(cursor !== undefined && { cursor }),
    })
    const jobs = await readJobs(
      store,
      room,
      page.jobs.map(({ submission }) => submission.id),
    )
    const still = [...jobs.values()].filter((job) => meetsFilter(job, filter))
    looked += page.looked
    found += still.length
    cursor = page.cursor
    yield { jobs: still, absent: [], ...(cursor !== undefined && { next: `${cursor}@${until}` }) }
    if (cursor === undefined) return
  }
}

async function readJobs(store: Store, room: string, ids: readonly JobId[]): Promise<Map<JobId, Job>> {
  const jobs = new Map<JobId, Job>()
  for (const record of ids.length === 0 ? [] : await store.read(room, ids.map(jobKey))) {
    if (record) jobs.set(record.key.slice(jobKey('' as JobId).length) as JobId, jobOfRecord(record))
  }
  return jobs
}

/**
 * A walk ends at the instant it began: jobs that are made while it goes on, as by running others again, would never let
 * it end. The cursor carries that instant.
 */
function walkOf(
  { cursor, until }: { readonly cursor?: string; readonly until?: number },
  now: number,
): { cursor: string | undefined; until: number } {
  const [key, began] = cursor?.split('@') ?? []
  if (began !== undefined) return { cursor: key, until: Number(began) }
  // By the ids and not by the clock, which may lie behind what it said when they were made.
  const end = instantOf(newId(now)) + 1
  return { cursor: key, until: Math.min(until ?? end, end) }
}
