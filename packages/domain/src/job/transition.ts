// The one door through which a job changes. Pure: the same job, event, instant and dice give the same answer.

import { type Refusal, refuse } from '../refusal.ts'
import { fence } from './fence.ts'
import type { Job } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEvent } from './job-event.ts'
import { type Cell, transitionTable } from './transition-table.ts'

/** `next` being the very job handed in means that the event was applied before and there is nothing to commit. */
export function transition(job: Job, event: JobEvent, now: number, random: number): Transition | Refusal {
  const fenced = fence(job, event)
  if (fenced !== null) return fenced
  // The row pairs each event type with a handler of just that type, which a lookup by a union cannot express.
  const cell = transitionTable[job.status][event.type] as Cell<JobEvent>
  return typeof cell === 'string' ? refuse(cell) : cell.handler(job, event, now, random)
}
