// What happened in a room, or in several, within a time: ends by their status, how long waits and runs were, and how much
// waited and ran at the last look.

import type { Job } from '@millrace/domain'
import { Durations } from './durations.ts'

export class Figures {
  completed = 0
  failed = 0
  cancelled = 0
  pending = 0
  running = 0
  readonly waits: Durations = new Durations()
  readonly runs: Durations = new Durations()

  ended({ status, waitMs, runMs }: Pick<Job, 'status' | 'waitMs' | 'runMs'>): void {
    if (status === 'completed') this.completed += 1
    else if (status === 'failed') this.failed += 1
    else this.cancelled += 1
    // One that was cancelled says nothing about how long it would have waited or run.
    if (status === 'cancelled') return
    if (waitMs !== undefined) this.waits.add(waitMs)
    if (runMs !== undefined) this.runs.add(runMs)
  }

  /** Another room's of the same time: everything adds up. */
  addRoom(other: Figures): void {
    this.addEnds(other)
    this.pending += other.pending
    this.running += other.running
  }

  /** The same room's of another time: what waits and runs is no sum. */
  addEnds(other: Figures): void {
    this.completed += other.completed
    this.failed += other.failed
    this.cancelled += other.cancelled
    this.waits.addAll(other.waits)
    this.runs.addAll(other.runs)
  }
}
