// An extension whose jobs wait until the test lets them go.

import { defineExtension, type Extension, type Job } from '@millrace/worker'

export interface HeldExtension {
  readonly extension: Extension
  /** The next job that comes to run. */
  readonly began: () => Promise<HeldJob>
}

export interface HeldJob {
  readonly job: Job
  readonly end: (result: unknown) => void
}

export function heldExtension(name: string, schema: object = { type: 'object' }): HeldExtension {
  const waiting: HeldJob[] = []
  const wanted: ((held: HeldJob) => void)[] = []
  const extension = defineExtension<unknown>({
    category: 'modifiers',
    name,
    schema,
    run: (job) =>
      new Promise((end, fail) => {
        job.signal.addEventListener('abort', () => fail(job.signal.reason))
        const take = wanted.shift()
        if (take) take({ job, end })
        else waiting.push({ job, end })
      }),
  })
  const began = (): Promise<HeldJob> => {
    const first = waiting.shift()
    return first ? Promise.resolve(first) : new Promise((resolve) => wanted.push(resolve))
  }
  return { extension, began }
}
