// The channel of a worker that asks: jobs are assigned to it only while a question is waiting, and what it has to stop is
// told when it beats.

import type { Job, Vitals } from '@millrace/domain'
import type { Channel, StopOrder } from './roster.ts'

type Waiter = (job: Job | null) => void

export class PullChannel implements Channel {
  /** It asks for each job when it has a slot. */
  readonly ahead: number = 0
  readonly #waiters = new Set<Waiter>()
  readonly #stopped = new Set<string>()

  ready(): number {
    return this.#waiters.size
  }

  /** One job for each question; placement never assigns more than `ready`. */
  assign(jobs: readonly Job[]): readonly Job[] {
    for (const [at, job] of jobs.entries()) {
      const [waiter] = this.#waiters
      // It gave up asking while the job was being claimed.
      if (!waiter) return jobs.slice(at)
      this.#waiters.delete(waiter)
      waiter(job)
    }
    return []
  }

  /** A question that waits is a sign of life by itself, and one may wait for longer than a lease. */
  ask(answered: (vitals: Vitals | null) => void): void {
    if (this.#waiters.size > 0) answered(null)
  }

  stop(orders: readonly StopOrder[]): void {
    for (const { token } of orders) this.#stopped.add(token)
  }

  /** Of the attempts that its worker names, those it has to stop; what it no longer names it has stopped. */
  toStop(running: readonly string[]): readonly string[] {
    for (const token of this.#stopped) if (!running.includes(token)) this.#stopped.delete(token)
    return running.filter((token) => this.#stopped.has(token))
  }

  close(): void {
    for (const waiter of this.#waiters) waiter(null)
    this.#waiters.clear()
  }

  next(waitMs: number, gone: AbortSignal, wake: () => void): Promise<Job | null> {
    return new Promise((resolve) => {
      const end: Waiter = (job) => {
        clearTimeout(timer)
        gone.removeEventListener('abort', leave)
        this.#waiters.delete(end)
        resolve(job)
      }
      const leave = (): void => end(null)
      const timer = setTimeout(leave, waitMs)
      gone.addEventListener('abort', leave)
      this.#waiters.add(end)
      wake()
    })
  }
}
