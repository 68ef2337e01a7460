// The one job that is tried while a breaker is half-open. That it is tried is written before it is claimed, so that of
// several replicas, and of several rooms, one tries.

import type { Job } from '@millrace/domain'
import type { Breakers } from '../extension/breakers.ts'
import type { ActiveJobs } from '../job/active-jobs.ts'
import { type ClaimOrder, claimJobs } from '../job/claim-jobs.ts'
import type { Store } from '../ports/store.ts'
import type { ClassBook, PlacementClass } from './class-book.ts'

export interface ProbeParts {
  readonly store: Store
  readonly active: ActiveJobs
  readonly book: ClassBook
  readonly breakers: Pick<Breakers, 'beginProbe' | 'dropProbe'>
}

/** Null: it is not for us to try, and what waits goes on waiting. */
export async function claimProbe(
  { store, active, book, breakers }: ProbeParts,
  wanted: PlacementClass,
  order: ClaimOrder,
): Promise<readonly Job[] | null> {
  const probe = await breakers.beginProbe(wanted.place, wanted)
  if (probe === null) {
    // Somebody else was faster: what this replica believes of the breaker is old.
    book.forgetAll()
    return null
  }
  // Whatever became of a claim whose answer was lost: nobody is handed its job, so nothing will be learned from it.
  const jobs = await claimJobs(store, active, { ...order, probe }).catch(async (fault) => {
    // Where this cannot be written either, the probe's own time ends it.
    await breakers.dropProbe(wanted.place, probe).catch(() => undefined)
    throw fault
  })
  if (jobs.length === 0) await breakers.dropProbe(wanted.place, probe)
  return jobs
}
