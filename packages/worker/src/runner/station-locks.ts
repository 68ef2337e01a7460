// The worker's end of the locks of a job in a runner: takes its orders to the keeper and brings the answers back.

import type { Attempt } from '../job/attempt.ts'
import type { Holding, LockDesk } from '../lock/lock-desk.ts'
import { LockRefused } from '../worker-error.ts'
import type { FromRunner, LockOrder, LockReply } from './runner-message.ts'

type LockMessage = Extract<FromRunner, { readonly type: 'lock' }>

/** Of one job. */
export class StationLocks {
  readonly #attempt: Attempt
  readonly #desk: LockDesk
  readonly #reply: (reply: LockReply) => void
  readonly #holdings = new Map<number, Holding>()

  constructor(attempt: Attempt, desk: LockDesk, reply: (reply: LockReply) => void) {
    this.#attempt = attempt
    this.#desk = desk
    this.#reply = reply
  }

  async hear({ ask, holding, order }: LockMessage): Promise<void> {
    try {
      this.#reply({ how: 'done', ask, fence: await this.#obey(holding, order) })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const problem = error instanceof LockRefused ? { problem: error.problem } : {}
      this.#reply({ how: 'refused', ask, message, ...problem })
    }
  }

  async #obey(number: number, order: LockOrder): Promise<number> {
    if (order.do === 'hold') {
      const held = await this.#desk.hold(this.#attempt.ref, order.request, ({ message }) => {
        this.#reply({ how: 'lost', holding: number, message })
      })
      this.#holdings.set(number, held)
      return held.fence
    }
    const holding = this.#holdings.get(number)
    if (order.do === 'say') await holding?.say(order.message)
    else {
      this.#holdings.delete(number)
      await holding?.release()
    }
    return holding?.fence ?? 0
  }
}
