// A lock as the handler of a job sees it, and how one is opened on top of a holding that somebody else keeps alive.

import type { Attempt } from '../job/attempt.ts'
import { type LockLost, WorkerError } from '../worker-error.ts'
import type { Holding, LockDesk } from './lock-desk.ts'

export interface LockOptions {
  /** How long the lock outlives a worker that is gone, from 1 to 300 s; it is refreshed at half of it. Default 30 s. */
  readonly ttlMs?: number
  /** Shown to everybody in the room, at most 200 characters. */
  readonly message?: string
}

export interface JobLock extends AsyncDisposable {
  readonly target: string
  /** Grows with every new holding: a write that names it is refused once the lock is somebody else's. */
  readonly fence: number
  /** Aborted when the lock is lost; its reason is a `LockLost`. Releasing it does not abort. */
  readonly signal: AbortSignal
  /** Resolves when the lock is lost, and never when it is released. */
  readonly lost: Promise<LockLost>
  /** Changes what is shown to the room; null shows nothing. */
  say(message: string | null): Promise<void>
  /** Resolves when the server has let go of it. A second time, or after the lock was lost, it does nothing. */
  release(): Promise<void>
}

/** Short enough for a room to wait out a worker that died, long enough for a server that restarts. */
const defaultTtlMs = 30_000

/** Rejects with `LockRefused`, or with the reason of the job's signal when that comes first. */
export async function openLock(
  attempt: Attempt,
  desk: LockDesk,
  target: string,
  { ttlMs = defaultTtlMs, message }: LockOptions = {},
): Promise<JobLock> {
  const { signal } = attempt
  signal.throwIfAborted()
  if (attempt.ended) throw new WorkerError('The job has ended: it cannot hold a lock any more.')
  const loss = new AbortController()
  const request = { target, ttlMs, ...(message !== undefined && { message }) }
  const holding = desk.hold(attempt.ref, request, (lost) => loss.abort(lost))
  return jobLock(target, await unlessAborted(holding, signal), loss)
}

function jobLock(target: string, holding: Holding, loss: AbortController): JobLock {
  const { signal } = loss
  let released: Promise<void> | null = null
  const release = (): Promise<void> => {
    released ??= signal.aborted ? Promise.resolve() : holding.release()
    return released
  }
  return {
    target,
    fence: holding.fence,
    signal,
    lost: new Promise((resolve) => {
      if (signal.aborted) resolve(signal.reason as LockLost)
      else signal.addEventListener('abort', () => resolve(signal.reason as LockLost), { once: true })
    }),
    say: (message) => holding.say(message),
    release,
    [Symbol.asyncDispose]: release,
  }
}

/** A holding that is granted to a handler which no longer waits is given back. */
async function unlessAborted(holding: Promise<Holding>, signal: AbortSignal): Promise<Holding> {
  let forget = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      holding.then((late) => late.release()).catch(() => undefined)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    forget = () => signal.removeEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([holding, aborted])
  } finally {
    forget()
  }
}
