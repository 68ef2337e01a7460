// Global extensions that any worker may serve, for every way a job can go. Each goes on only when the test has made a
// file for it: a job that ends before its start was told leaves one event less behind, on any worker.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineExtension, type Extension, failed, fatal, type Job } from '@millrace/worker'

interface Gated {
  readonly gates: string
}

function ordinary(name: string, run: (job: Job<Gated>) => unknown): Extension {
  return defineExtension<Gated>({
    category: 'ordinary',
    name,
    scope: 'global',
    schema: {
      type: 'object',
      properties: { gates: { type: 'string' }, times: { type: 'integer', default: 2 } },
    },
    policy: { job: { maxAttempts: 2, backoffBaseMs: 0, cancelGraceMs: 30_000 } },
    run,
  }) as Extension
}

export function gateOf(gates: string, id: string, name: string | number): string {
  return join(gates, `${id}.${name}`)
}

async function opened({ data, id }: Job<Gated>, name: string | number): Promise<void> {
  while (!existsSync(gateOf(data.gates, id, name))) await new Promise((resolve) => setTimeout(resolve, 10))
}

export const completes: Extension = ordinary('Completes', async (job) => {
  job.progress(0.5, 'half')
  job.log('first line')
  job.log('second line')
  await opened(job, 1)
  return { charged: job.attempt }
})

export const failsOnce: Extension = ordinary('FailsOnce', async (job) => {
  await opened(job, job.attempt)
  return job.attempt === 1 ? failed('once more') : job.attempt
})

export const fails: Extension = ordinary('Fails', async (job) => {
  await opened(job, 1)
  return fatal('never')
})

export const throws: Extension = ordinary('Throws', async (job) => {
  await opened(job, job.attempt)
  throw new RangeError('too far')
})

export const waits: Extension = ordinary('WaitsForever', async (job) => {
  job.log('waiting')
  await new Promise((resolve) => job.signal.addEventListener('abort', resolve))
  if (job.signal.reason.why === 'cancelled') await opened(job, 'cancelled')
  throw job.signal.reason
})

export const all: readonly Extension[] = [completes, failsOnce, fails, throws, waits]

export const module: string = import.meta.url
