// Submits that ask for slots before their jobs are committed. They take part in the next plan as if their jobs waited, so
// that a plan decides between them and what does wait; a class in which somebody waits already is not asked for.

import type { WorkerId } from '@millrace/domain'
import type { ReservedSlots, WantedSlots } from '../job/reserved-slots.ts'
import { placeOf, type WaitingQueue, type WaitingQueues } from './waiting-queues.ts'

interface SlotRequest extends WantedSlots {
  readonly answer: (slots: ReservedSlots | null) => void
}

export class SlotRequests {
  readonly #waiting: WaitingQueues
  #requests: SlotRequest[] = []

  constructor(waiting: WaitingQueues) {
    this.#waiting = waiting
  }

  add(wanted: WantedSlots): Promise<ReservedSlots | null> {
    return new Promise((answer) => this.#requests.push({ ...wanted, answer }))
  }

  /** What has gathered, for one plan. Whoever is not dealt anything by then has to queue. */
  take(): RequestRound {
    const requests = this.#requests
    this.#requests = []
    return new RequestRound(this.#waiting, requests)
  }
}

export class RequestRound {
  readonly #byClass = new Map<string, SlotRequest[]>()

  constructor(waiting: WaitingQueues, requests: readonly SlotRequest[]) {
    for (const request of requests) {
      const { room, queue } = request
      const key = placeOf(room, queue)
      if (waiting.get(room, queue)) request.answer(null)
      else this.#byClass.set(key, [...(this.#byClass.get(key) ?? []), request])
    }
  }

  get isEmpty(): boolean {
    return this.#byClass.size === 0
  }

  /** As queues for the plan. */
  queues(): readonly WaitingQueue[] {
    return [...this.#byClass.values()].map((requests) => {
      const { room, queue } = requests[0] as SlotRequest
      const pending = requests.reduce((sum, { count }) => sum + count, 0)
      const headScore = Math.min(...requests.map(({ score }) => score))
      return { room, queue, pending, headScore }
    })
  }

  has(key: string): boolean {
    return this.#byClass.has(key)
  }

  /** Deals the workers that a plan found for a class to those who asked for it, the first first. */
  deal(
    key: string,
    workers: readonly WorkerId[],
    reserved: (workers: readonly WorkerId[]) => ReservedSlots,
  ): void {
    let dealt = 0
    for (const { count, answer } of this.#byClass.get(key) ?? []) {
      const its = workers.slice(dealt, dealt + count)
      dealt += its.length
      answer(its.length === 0 ? null : reserved(its))
    }
    this.#byClass.delete(key)
  }

  /** There is nothing for the others. */
  close(): void {
    for (const requests of this.#byClass.values()) for (const { answer } of requests) answer(null)
    this.#byClass.clear()
  }
}
