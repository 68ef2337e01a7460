// What a job in a runner says, on its way to the worker. It is passed on at once when the last time is long enough ago,
// also out of a handler that never lets the event loop turn, and gathered otherwise.

import type { AttemptRef } from '@millrace/protocol'
import type { Voice } from '../job/job-handle.ts'
import type { Holding, LockRequest } from '../lock/lock-desk.ts'
import { Chatter } from '../report/chatter.ts'
import type { LockLost } from '../worker-error.ts'
import { RunnerLocks } from './runner-locks.ts'
import type { FromRunner } from './runner-message.ts'

const everyMs = 50

export class RunnerVoice implements Voice {
  readonly locks: RunnerLocks
  readonly #send: (message: FromRunner) => void
  readonly #chatter = new Chatter()
  #timer: NodeJS.Timeout | null = null
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(send: (message: FromRunner) => void) {
    this.#send = send
    this.locks = new RunnerLocks(send)
  }

  progress(ref: AttemptRef, fraction: number, message?: string): void {
    this.#chatter.progress(ref, fraction, message)
    this.#pass(false)
  }

  log(ref: AttemptRef, text: string): void {
    this.#pass(this.#chatter.log(ref, text))
  }

  hold(ref: AttemptRef, request: LockRequest, onLost: (lost: LockLost) => void): Promise<Holding> {
    return this.locks.hold(ref, request, onLost)
  }

  /** Everything that was said and not yet passed on. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#chatter.isEmpty) return
    this.#lastAt = performance.now()
    for (const report of this.#chatter.take()) {
      if (report.event === 'job:log') this.#send({ type: 'log', text: report.entry.lines.join('\n') })
      else if (report.event === 'job:progress') {
        const { fraction, message } = report.entry
        this.#send({ type: 'progress', fraction, ...(message !== undefined && { message }) })
      }
    }
  }

  #pass(isFull: boolean): void {
    if (isFull || performance.now() - this.#lastAt >= everyMs) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), everyMs)
  }
}
