// Progress of the current run. It is no transition of its own and leaves no trace in the history.

import { type Refusal, refuse } from '../refusal.ts'
import { cutText, textLimits } from './bounded-error.ts'
import type { Job } from './job.ts'
import { quietly, type Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'

export function progress(job: Job, event: JobEventOf<'progress'>, now: number): Transition | Refusal {
  // Infinity and NaN become null in JSON and would be read back as something else.
  if (!Number.isFinite(event.fraction)) return refuse('progress_invalid')
  return quietly({
    ...job,
    progress: {
      fraction: Math.min(1, Math.max(0, event.fraction)),
      ...(event.message !== undefined && { message: cutText(event.message, textLimits.progressMessage) }),
      at: now,
    },
  })
}
