// The order of jobs in a queue: one score, fixed for the job's life, so that ageing needs no upkeep and a retry finds
// its old place.

import type { Submission } from './job.ts'

/** What one step of priority is worth: a minute of waiting. The lowest job is overtaken for ten minutes at most. */
export const boostMs = 60_000

export const bandCount = 16

/** Lower goes first. */
export function score({ createdAt, notBefore, priority }: Submission): number {
  return Math.max(createdAt, notBefore ?? 0) - priority * boostMs
}

/** The effective priority of a queue's head for placement, 0 to 15, higher first: its boost plus the minutes waited. */
export function band(headScore: number, now: number): number {
  const steps = Math.floor((now - headScore) / boostMs)
  return Math.min(bandCount - 1, Math.max(0, steps))
}
