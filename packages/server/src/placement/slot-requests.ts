// Submits that ask for slots before their jobs are committed. They take part in the next plan as if their jobs waited, so
// that a plan decides between them and what does wait; a class in which somebody waits already is not asked for.

import type { WorkerId } from '@millrace/domain'
import type { ReservedSlots, WantedSlots } from '../job/reserved-slots.ts'
import { placeOf, type WaitingQueue, type WaitingQueues } from './waiting-queues.ts'

interface SlotRequest extends WantedSlots {
  readonly answer: (slots: ReservedSlots | null) => void
  /** Runs from the first plan that had nothing for it. */
  patience: NodeJS.Timeout | null
  isTooLate: boolean
}

/**
 * How long one job waits for a slot to fall free before it is committed to its queue. Where jobs take milliseconds one
 * nearly always does, and being claimed would take the job a second commit; where they take longer nobody notices.
 */
const patienceMs = 3

export class SlotRequests {
  readonly #waiting: WaitingQueues
  #requests: SlotRequest[] = []

  constructor(waiting: WaitingQueues) {
    this.#waiting = waiting
  }

  add(wanted: WantedSlots): Promise<ReservedSlots | null> {
    return new Promise((answer) =>
      this.#requests.push({ ...wanted, answer, patience: null, isTooLate: false }),
    )
  }

  /** Those for whom its plan had nothing wait for the next, but not for long. Many would hardly all be served: they queue. */
  keep(round: RequestRound): void {
    for (const request of round.takeLeft()) {
      if (request.count > 1 || request.isTooLate) settle(request, null)
      else {
        request.patience ??= setTimeout(() => this.#giveUp(request), patienceMs)
        this.#requests.push(request)
      }
    }
  }

  /** What has gathered, for one plan. */
  take(): RequestRound {
    const requests = this.#requests
    this.#requests = []
    return new RequestRound(this.#waiting, requests)
  }

  /** One that takes part in a plan is left to it: it may be dealt a slot yet. */
  #giveUp(request: SlotRequest): void {
    request.isTooLate = true
    const at = this.#requests.indexOf(request)
    if (at === -1) return
    this.#requests.splice(at, 1)
    settle(request, null)
  }
}

function settle({ answer, patience }: SlotRequest, slots: ReservedSlots | null): void {
  if (patience) clearTimeout(patience)
  answer(slots)
}

export class RequestRound {
  readonly #byClass = new Map<string, SlotRequest[]>()

  constructor(waiting: WaitingQueues, requests: readonly SlotRequest[]) {
    for (const request of requests) {
      const { room, queue } = request
      const key = placeOf(room, queue)
      if (waiting.get(room, queue)) settle(request, null)
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
    const left: SlotRequest[] = []
    for (const request of this.#byClass.get(key) ?? []) {
      const its = workers.slice(dealt, dealt + request.count)
      dealt += its.length
      if (its.length === 0) left.push(request)
      else settle(request, reserved(its))
    }
    if (left.length > 0) this.#byClass.set(key, left)
    else this.#byClass.delete(key)
  }

  /** No plan will have anything for those of such a class. */
  refuse(isHopeless: (key: string) => boolean): void {
    for (const [key, requests] of this.#byClass) {
      if (!isHopeless(key)) continue
      for (const request of requests) settle(request, null)
      this.#byClass.delete(key)
    }
  }

  /** Whoever was not dealt anything; the round knows them no more. */
  takeLeft(): readonly SlotRequest[] {
    const left = [...this.#byClass.values()].flat()
    this.#byClass.clear()
    return left
  }

  /** There is nothing for the others. */
  close(): void {
    for (const request of this.takeLeft()) settle(request, null)
  }
}
