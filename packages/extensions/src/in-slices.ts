// Works through a long calculation slice by slice: between two slices the event loop turns, so that progress leaves and a
// cancel arrives. A slice is as long as a person does not notice.

import type { Job } from '@millrace/worker'

const sliceMs = 20

/** Calls `step` with how many of `total` to do now, until all are done; throws the signal's reason when it is aborted. */
export async function inSlices(
  { signal, progress }: Pick<Job, 'signal' | 'progress'>,
  total: number,
  step: (count: number) => string | undefined,
): Promise<void> {
  let [done, size] = [0, 1_000]
  while (done < total) {
    signal.throwIfAborted()
    const count = Math.min(size, total - done)
    const began = performance.now()
    const message = step(count)
    const took = performance.now() - began
    done += count
    progress(done / total, message)
    if (took < sliceMs / 2) size *= 2
    else if (took > sliceMs * 2) size = Math.max(1, Math.floor(size / 2))
    await new Promise((resolve) => setImmediate(resolve))
  }
}
