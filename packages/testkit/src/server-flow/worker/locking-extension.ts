// An extension whose jobs hold a lock of their room and do what their data say, in the worker's process or in a runner.

import { existsSync } from 'node:fs'
import { defineExtension, type Extension, type Job, type JobLock } from '@millrace/worker'

export interface LockingData {
  readonly ttlMs?: number
  readonly next: 'wait' | 'block' | 'release' | 'dispose' | 'return'
  /** `block` lasts until this file is there. */
  readonly file?: string
}

/** Seen by a test that runs in the same process. */
export const locking: { readonly held: ((lock: JobLock) => void)[]; readonly jobs: Map<string, JobLock> } = {
  held: [],
  jobs: new Map(),
}

export const lockingExtension: Extension<LockingData> = defineExtension<LockingData>({
  category: 'modifiers',
  name: 'Locking',
  schema: { type: 'object' },
  policy: { job: { maxAttempts: 1 } },
  run: async (job) => {
    const { ttlMs } = job.data
    const lock = await job.lock('trajectory', { ...(ttlMs && { ttlMs }), message: `Held by ${job.id}` })
    locking.jobs.set(job.id, lock)
    for (const each of locking.held.splice(0)) each(lock)
    await act(job, lock)
    return { fence: lock.fence, isLost: lock.signal.aborted }
  },
})

async function act({ data, lock: hold, signal }: Job<LockingData>, lock: JobLock): Promise<void> {
  if (data.next === 'release') await lock.release()
  if (data.next === 'dispose') {
    await using again = await hold('trajectory')
    await lock.release()
    await again.say('Nearly done')
  }
  if (data.next === 'wait') {
    await Promise.race([lock.lost, new Promise((resolve) => signal.addEventListener('abort', resolve))])
  }
  // Nothing of this process is heard or said meanwhile.
  while (data.next === 'block' && !existsSync(data.file ?? '')) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
}
