// What a worker tells the program it lives in. Nobody has to listen.

import type { JobError } from '@millrace/protocol'
import type { OfferedJob } from '../job/job.ts'

/** A job that this worker had, for whoever counts or shows them. */
export interface EndedJob {
  readonly id: string
  readonly room: string
  readonly category: string
  readonly extension: string
  /**
   * `left`: nobody waits for it here any more; the server has given it to another worker, or will. `late`: its handler came
   * to an end, but the server had taken it back before it heard of that. `unsure`: the connection broke before the server
   * answered, and did not come back or does not know this attempt any more.
   */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'rejected' | 'left' | 'late' | 'unsure'
  readonly runMs: number
  /** Of one that failed, and whether trying again may help. */
  readonly error?: JobError
  readonly retryable?: boolean
}

export interface WorkerEvents {
  /** The server knows this worker and gives it jobs; after every reconnect again. */
  connected: { readonly worker: string; readonly resumed: number; readonly dropped: number }
  disconnected: { readonly reason: string }
  assigned: { readonly job: OfferedJob }
  /** Its handler is done; the server hears of it as soon as it can. */
  completed: { readonly id: string; readonly room: string; readonly result: unknown }
  failed: {
    readonly id: string
    readonly room: string
    readonly error: JobError
    readonly retryable: boolean
  }
  /** The last word about a job here, however it came to its end: the server has acknowledged it, or never will. */
  ended: EndedJob
  /** Something that the worker goes on from: a refused registration after a reconnect, a refused report. */
  error: Error
}

type Listener<Name extends keyof WorkerEvents> = (event: WorkerEvents[Name]) => void
type Listeners = { [Name in keyof WorkerEvents]?: Set<Listener<Name>> }

export class WorkerListeners {
  readonly #listeners: Listeners = {}

  /** Returns how to stop listening. */
  on<Name extends keyof WorkerEvents>(name: Name, listener: Listener<Name>): () => void {
    const listeners: Set<Listener<Name>> = this.#listeners[name] ?? new Set()
    this.#listeners[name] = listeners as Listeners[Name]
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  /** The event is only made when somebody listens: a busy worker has no use for it otherwise. */
  tell<Name extends keyof WorkerEvents>(name: Name, event: () => WorkerEvents[Name]): void {
    const listeners: Set<Listener<Name>> | undefined = this.#listeners[name]
    if (!listeners || listeners.size === 0) return
    const told = event()
    for (const listener of listeners) {
      try {
        listener(told)
      } catch (error) {
        // It is the program's own mistake and must be seen, but not in the middle of a job's way through the worker.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
