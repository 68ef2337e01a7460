// The locks of a job in a runner: every question goes to the worker, which keeps the lock alive and says when it is lost.

import type { AttemptRef } from '@millrace/protocol'
import type { Holding, LockDesk, LockRequest } from '../lock/lock-desk.ts'
import { LockLost, LockRefused, WorkerError } from '../worker-error.ts'
import type { FromRunner, LockOrder, LockReply } from './runner-message.ts'

interface Asked {
  readonly resolve: (fence: number) => void
  readonly reject: (error: Error) => void
}

export class RunnerLocks implements LockDesk {
  readonly #send: (message: FromRunner) => void
  readonly #asked = new Map<number, Asked>()
  readonly #onLost = new Map<number, (lost: LockLost) => void>()
  #count = 0

  constructor(send: (message: FromRunner) => void) {
    this.#send = send
  }

  async hold(_ref: AttemptRef, request: LockRequest, onLost: (lost: LockLost) => void): Promise<Holding> {
    this.#count += 1
    const holding = this.#count
    this.#onLost.set(holding, onLost)
    try {
      const fence = await this.#ask(holding, { do: 'hold', request })
      return {
        fence,
        say: async (message) => void (await this.#ask(holding, { do: 'say', message })),
        release: async () => {
          this.#onLost.delete(holding)
          await this.#ask(holding, { do: 'release' })
        },
      }
    } catch (error) {
      this.#onLost.delete(holding)
      throw error
    }
  }

  hear(reply: LockReply): void {
    if (reply.how === 'lost') {
      this.#onLost.get(reply.holding)?.(new LockLost(reply.message))
      this.#onLost.delete(reply.holding)
      return
    }
    const asked = this.#asked.get(reply.ask)
    this.#asked.delete(reply.ask)
    if (reply.how === 'done') asked?.resolve(reply.fence)
    else if (reply.problem) asked?.reject(new LockRefused(reply.problem))
    else asked?.reject(new WorkerError(reply.message))
  }

  /** The job is over: nobody waits for answers, and the worker releases what is left. */
  forget(): void {
    this.#asked.clear()
    this.#onLost.clear()
  }

  #ask(holding: number, order: LockOrder): Promise<number> {
    this.#count += 1
    const ask = this.#count
    return new Promise((resolve, reject) => {
      this.#asked.set(ask, { resolve, reject })
      this.#send({ type: 'lock', ask, holding, order })
    })
  }
}
