// How a job may be retried, how long it may take, and what happens when its worker is lost. Defaults stand here once;
// an extension overrides them, a job overrides its extension, and every override is checked against the limits.

import { type Limit, limitRefusal, whole } from '../limit.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface JobPolicy {
  readonly maxAttempts: number
  readonly backoffBaseMs: number
  readonly backoffCapMs: number
  readonly acceptMs: number
  readonly runLimitMs: number
  readonly cancelGraceMs: number
  readonly onWorkerLost: 'requeue' | 'fail'
  readonly retentionMs: number
  readonly deadLetterRetentionMs: number
}

type MeasuredField = Exclude<keyof JobPolicy, 'onWorkerLost'>

const secondMs = 1_000
const hourMs = 3_600 * secondMs
const dayMs = 24 * hourMs

export const defaultPolicy: JobPolicy = {
  maxAttempts: 3,
  backoffBaseMs: secondMs,
  backoffCapMs: 300 * secondMs,
  acceptMs: 10 * secondMs,
  runLimitMs: 240 * secondMs,
  cancelGraceMs: 5 * secondMs,
  onWorkerLost: 'requeue',
  retentionMs: dayMs,
  deadLetterRetentionMs: 14 * dayMs,
}

export const policyLimits: Readonly<Record<MeasuredField, Limit>> = {
  // Every ended attempt stays in the head, so attempts are bounded.
  maxAttempts: whole(1, 20),
  backoffBaseMs: whole(0, hourMs),
  backoffCapMs: whole(0, dayMs),
  // Below this a healthy worker on a slow link loses its job before it can answer.
  acceptMs: whole(100, hourMs),
  runLimitMs: whole(100, 30 * dayMs),
  cancelGraceMs: whole(0, 300 * secondMs),
  // A repeated completion is recognised only while the job is kept.
  retentionMs: whole(60 * secondMs, 90 * dayMs),
  deadLetterRetentionMs: whole(60 * secondMs, 90 * dayMs),
}

const measuredFields = Object.keys(policyLimits) as readonly MeasuredField[]

export function resolvePolicy(
  extensionPolicy: Partial<JobPolicy>,
  jobPolicy: Partial<JobPolicy>,
): JobPolicy | Refusal {
  const refusal = outOfRange(extensionPolicy) ?? outOfRange(jobPolicy)
  return refusal ?? override(override(defaultPolicy, extensionPolicy), jobPolicy)
}

function outOfRange(overrides: Partial<JobPolicy>): Refusal | null {
  for (const field of measuredFields) {
    const value = overrides[field]
    if (value === undefined) continue
    const refusal = limitRefusal('policy_out_of_range', field, value, policyLimits[field])
    if (refusal !== null) return refusal
  }
  return lossRefusal(overrides.onWorkerLost)
}

function lossRefusal(onWorkerLost: JobPolicy['onWorkerLost'] | undefined): Refusal | null {
  if (onWorkerLost === undefined || onWorkerLost === 'requeue' || onWorkerLost === 'fail') return null
  const details = { field: 'onWorkerLost', value: onWorkerLost, oneOf: ['requeue', 'fail'] }
  return refuse('policy_out_of_range', 'onWorkerLost has to be requeue or fail.', details)
}

/** Field by field, so that nothing a client adds to its policy gets into the job. */
function override(policy: JobPolicy, overrides: Partial<JobPolicy>): JobPolicy {
  const onWorkerLost = overrides.onWorkerLost ?? policy.onWorkerLost
  const measured = measuredFields.map((field) => [field, overrides[field] ?? policy[field]] as const)
  return { ...policy, ...Object.fromEntries(measured), onWorkerLost }
}
