// A page of a list of jobs as it is kept: rows that were fetched, and later changed by events.

import type { JobRow } from './job-row.ts'

export interface JobListPage {
  readonly jobs: readonly JobRow[]
  readonly cursor?: string | undefined
  readonly looked: number
  /** How far down it reached, where rows were let go since. */
  readonly lowest?: JobRow | undefined
}
