// Slots for jobs that do not exist yet: a submit asks for them before its commit, and jobs that have one are committed as
// already assigned. It saves such a job its queue, and a second commit.

import type { WorkerId } from '@millrace/domain'
import type { KnownJob } from './active-jobs.ts'

export interface WantedSlots {
  readonly room: string
  readonly queue: string
  readonly count: number
  /** Of the job that would stand first. */
  readonly score: number
}

export interface ReservedSlots {
  /** One for each job that may begin; a worker with several free slots is named several times. */
  readonly workers: readonly WorkerId[]
  readonly acceptMs: number
  /** These were committed with attempts at such workers; slots that none of them has are given back. Called once. */
  fill(jobs: readonly KnownJob[]): void
}

/** Null: there is nothing free, or others have waited longer for it. */
export type ReserveSlots = (wanted: WantedSlots) => Promise<ReservedSlots | null>
