// Where handlers run: in this process, or in runners of their own.

import type { Attempt } from './attempt.ts'
import type { Settled } from './settled.ts'

export type OnSettled = (attempt: Attempt, settled: Settled) => void

export interface Executor {
  /** Resolves when it can run jobs; rejects when it never could. */
  open(): Promise<void>
  /** Begins to run it; `onSettled` is called once, at once or later. */
  run(attempt: Attempt): void
  /** Its signal was aborted. */
  abort(attempt: Attempt): void
  /** Ends it without asking. False where that cannot be done. */
  kill(attempt: Attempt): boolean
  close(): Promise<void>
}
