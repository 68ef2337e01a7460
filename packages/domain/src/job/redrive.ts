// Redrive: any ended job can be run again, as a new job that names the old one. Nothing leaves a terminal state.

import type { JobId } from '../ids.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Job, Submission } from './job.ts'
import { quietly, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

/** What is decided anew: the schema may have changed, and the one who redrives may have another role. */
export type RedriveOrder = Pick<
  Submission,
  'id' | 'submitter' | 'priority' | 'schemaHash' | 'data' | 'createdAt'
>

/** The caller submits this in the same commit as the `redrive` event of the old job. */
export function redriveSubmission(old: Submission, order: RedriveOrder): Submission {
  const { idempotency: _key, notBefore: _notBefore, runBy, ...kept } = old
  return {
    ...kept,
    ...order,
    redriveOf: old.id,
    ...(runBy !== undefined && {
      runBy: order.createdAt + runBy - Math.max(old.createdAt, old.notBefore ?? 0),
    }),
  }
}

/** Two people pressing the button must not make two jobs of one dead letter. */
export function redriveFailed(job: Job, event: JobEventOf<'redrive'>, now: number): Transition | Refusal {
  return redrive(job, { ...event, once: true }, now)
}

export function redrive(job: Job, { as, once }: JobEventOf<'redrive'>, now: number): Transition | Refusal {
  if (once && job.redrivenAs !== undefined) return alreadyRedriven(job.redrivenAs)
  return quietly({ ...job, deadLetter: false, redrivenAs: as, redrivenAt: now })
}

/** Why this is no dead letter, where it is none. */
export function deadLetterRefusal({ deadLetter, status, redrivenAs }: Job): Refusal | null {
  if (deadLetter) return null
  if (status === 'failed' && redrivenAs !== undefined) return alreadyRedriven(redrivenAs)
  return refuse('job_not_dead_letter')
}

function alreadyRedriven(redrivenAs: JobId): Refusal {
  return refuse('job_redriven', `The job was redriven as ${redrivenAs}.`, { redrivenAs })
}
