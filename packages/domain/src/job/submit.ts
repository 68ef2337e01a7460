// Submit: the one way a job comes to be. What it takes is already resolved (policy, priority, schema); what it checks
// is what would make a job that can never run.

import { type Refusal, refuse } from '../refusal.ts'
import type { Submission } from './job.ts'
import { quietly, type Transition } from './job-effect.ts'
import { priorityRefusal } from './priority.ts'

/** A delay beyond a year is a slip of units more often than a wish. */
export const maxDelayMs: number = 365 * 24 * 3_600_000

/** What fits in a header and in a record's name. */
const idempotencyKeyForm = /^[\x21-\x7e]{1,128}$/

export function submit(submission: Submission): Transition | Refusal {
  const { createdAt, notBefore = createdAt, submitter } = submission
  const refusal = priorityRefusal(submission.priority) ?? outOfRange(submission)
  if (refusal !== null) return refusal
  return quietly({
    submission,
    status: 'pending',
    queued: notBefore <= createdAt,
    attempt: null,
    ended: [],
    charged: 0,
    uncharged: 0,
    deadLetter: false,
    history: [{ at: createdAt, status: 'pending', reason: 'submitted', by: submitter }],
  })
}

function outOfRange({ createdAt, notBefore = createdAt, runBy, idempotency }: Submission): Refusal | null {
  if (idempotency !== undefined && !idempotencyKeyForm.test(idempotency.key)) {
    return refuseField('idempotency', 'a key of 1 to 128 visible ASCII characters')
  }
  if (!(notBefore <= createdAt + maxDelayMs)) {
    return refuseField('notBefore', `at most ${maxDelayMs} ms after the submission`)
  }
  if (runBy !== undefined && !(runBy > Math.max(createdAt, notBefore))) {
    return refuseField('runBy', 'later than the instant the job may first be offered')
  }
  return null
}

function refuseField(field: keyof Submission, limit: string): Refusal {
  return refuse('submission_out_of_range', `${field} must be ${limit}.`, { field, limit })
}
