// What on a screen full of figures is not as it should be. Everything else is shown plainly, so that what is not stands
// out; hence these are few, and none of them passes by itself in a moment.

import type { WaitReason } from '../placement/plan.ts'

/** Reasons that end only when somebody does something; the others end when jobs that run now end. */
const stuckReasons: ReadonlySet<WaitReason['reason']> = new Set([
  'no_worker',
  'label_mismatch',
  'not_enough',
  'workers_unavailable',
  'breaker_open',
  'breaker_probing',
  'paused',
])

export function isStuck({ reason }: WaitReason): boolean {
  return stuckReasons.has(reason)
}

/** Fewer may be one person's mistake, repeated. */
const failuresAtLeast = 5
const failingShare = 0.2

export function isFailing({
  completed,
  failed,
}: {
  readonly completed: number
  readonly failed: number
}): boolean {
  return failed >= failuresAtLeast && failed >= failingShare * (completed + failed)
}

const slowMs = 10 * 60_000

export function isSlow(waitedMs: number): boolean {
  return waitedMs >= slowMs
}
