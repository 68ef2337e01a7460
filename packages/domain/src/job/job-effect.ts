// What the caller must do after a transition is committed, and the shape of a transition itself.
// Queue and deadline entries are no effects: the caller reads them off the next job (`queued`, `dueAt`).

import type { AttemptToken, WorkerId } from '../ids.ts'
import type { Attempt, AttemptOutcome, Job } from './job.ts'

export type JobEffect =
  /** The worker's slot is free, and the extension's breaker hears the outcome. */
  | {
      readonly kind: 'attempt_ended'
      readonly worker: WorkerId
      readonly token: AttemptToken
      readonly outcome: AttemptOutcome
    }
  /** Tell the worker to stop: by its signal, or by killing the runner process where there is one. */
  | {
      readonly kind: 'stop_attempt'
      readonly worker: WorkerId
      readonly token: AttemptToken
      readonly how: StopHow
    }
  | { readonly kind: 'dead_letter' }
  /** The job's retention is over: remove it and what belongs to it. */
  | { readonly kind: 'remove' }

export type StopHow = 'abort' | 'kill'

export interface Transition {
  readonly next: Job
  readonly effects: readonly JobEffect[]
}

const noEffects: readonly JobEffect[] = []

export function quietly(next: Job): Transition {
  return { next, effects: noEffects }
}

/** The event was applied before: the caller acknowledges it and commits nothing, since `next` is the same reference. */
export function alreadyApplied(job: Job): Transition {
  return quietly(job)
}

export function attemptEnded({ worker, token }: Attempt, outcome: AttemptOutcome): JobEffect {
  return { kind: 'attempt_ended', worker, token, outcome }
}

export function stopAttempt({ worker, token }: Attempt, how: StopHow): JobEffect {
  return { kind: 'stop_attempt', worker, token, how }
}
