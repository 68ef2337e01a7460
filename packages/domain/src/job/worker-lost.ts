// The attempt ends because one side of it is gone. Neither is the job's failure.

import type { Job } from './job.ts'
import type { Transition } from './job-effect.ts'
import type { JobEventOf } from './job-event.ts'
import { afterFailure } from './retry.ts'

export function workerLost(
  job: Job,
  _event: JobEventOf<'worker_lost'>,
  now: number,
  random: number,
): Transition {
  const error = { message: 'Worker disconnected', name: 'worker_lost' }
  return afterFailure(job, { outcome: 'worker_lost', error }, now, random)
}

export function serverStop(
  job: Job,
  _event: JobEventOf<'server_stop'>,
  now: number,
  random: number,
): Transition {
  const error = { message: 'The server or its pool was stopped', name: 'server_stop' }
  return afterFailure(job, { outcome: 'server_stop', error }, now, random)
}
