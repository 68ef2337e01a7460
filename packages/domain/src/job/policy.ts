// How a job may be retried, how long it may take, and what happens when its worker is lost. Defaults stand here once;
// an extension overrides them, a job overrides its extension, and every override is checked against the limits.

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

export interface PolicyLimit {
  readonly min: number
  readonly max: number
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

export const policyLimits: Readonly<Record<MeasuredField, PolicyLimit>> = {
  // Every ended attempt stays in the head, so attempts are bounded.
  maxAttempts: { min: 1, max: 20 },
  backoffBaseMs: { min: 0, max: hourMs },
  backoffCapMs: { min: 0, max: dayMs },
  // Below this a healthy worker on a slow link loses its job before it can answer.
  acceptMs: { min: 100, max: hourMs },
  runLimitMs: { min: 100, max: 30 * dayMs },
  cancelGraceMs: { min: 0, max: 300 * secondMs },
  // A repeated completion is recognised only while the job is kept.
  retentionMs: { min: 60 * secondMs, max: 90 * dayMs },
  deadLetterRetentionMs: { min: 60 * secondMs, max: 90 * dayMs },
}

const measuredFields = Object.keys(policyLimits) as readonly MeasuredField[]

export function resolvePolicy(
  extensionPolicy: Partial<JobPolicy>,
  jobPolicy: Partial<JobPolicy>,
): JobPolicy | Refusal {
  const policy = { ...defaultPolicy }
  for (const override of [extensionPolicy, jobPolicy]) {
    const refusal = apply(override, policy)
    if (refusal !== null) return refusal
  }
  return policy
}

function apply(
  override: Partial<JobPolicy>,
  policy: { -readonly [Field in keyof JobPolicy]: JobPolicy[Field] },
) {
  for (const field of measuredFields) {
    const value = override[field]
    if (value === undefined) continue
    const { min, max } = policyLimits[field]
    if (!Number.isInteger(value) || value < min || value > max) {
      return refuseField(field, `a whole number from ${min} to ${max}`, { min, max })
    }
    policy[field] = value
  }
  const onWorkerLost = override.onWorkerLost
  if (onWorkerLost === undefined) return null
  if (onWorkerLost !== 'requeue' && onWorkerLost !== 'fail') {
    return refuseField('onWorkerLost', 'requeue or fail', { oneOf: ['requeue', 'fail'] })
  }
  policy.onWorkerLost = onWorkerLost
  return null
}

function refuseField(
  field: keyof JobPolicy,
  limit: string,
  details: Readonly<Record<string, unknown>>,
): Refusal {
  return refuse('policy_out_of_range', `${field} must be ${limit}.`, { field, ...details })
}
