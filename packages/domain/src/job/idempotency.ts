// Idempotency of submits. The key's scope (room and submitter) is the caller's lookup; a key lives as long as its job.

import type { JobId } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Submission } from './job.ts'

export type IdempotencyDecision =
  | { readonly decision: 'new' }
  | { readonly decision: 'same_job'; readonly job: JobId }

/** `existing` is the submission found under the key, null when there is none. */
export function idempotencyDecision(
  existing: Pick<Submission, 'id' | 'idempotency'> | null,
  key: string,
  bodyHash: string,
): IdempotencyDecision | Refusal {
  if (existing === null || existing.idempotency?.key !== key) return { decision: 'new' }
  if (existing.idempotency.bodyHash === bodyHash) return { decision: 'same_job', job: existing.id }
  return refuse('idempotency_mismatch', undefined, { key, job: existing.id })
}
