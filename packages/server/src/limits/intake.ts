// Whether new jobs may come in: not where as many wait in their room as may, and not while the server has too much to do
// already. Nothing else asks here, so that what was taken in is always finished. Counted without asking the store: what
// other replicas brought is known a poll later, and they may overshoot by as much as they take in until then.

import { type Refusal, refuse } from '@millrace/domain'

export interface IntakeRules {
  readonly roomMaxPending: number
  /** Jobs on their way to the store. */
  readonly maxWaitingJobs: number
  readonly maxLoopDelayMs: number
}

export interface IntakeView {
  /** Jobs that are believed to wait in a room. */
  readonly pendingIn: (room: string) => number
  readonly loopDelayMs: () => number
}

/** Nobody knows when a queue moves: often enough to keep workers busy, seldom enough to cost nothing. */
const queueRetryMs = 5_000
const busyRetryMs = 1_000
/** What a restart takes when no job has to be waited for. */
const restartMs = 5_000

export class Intake {
  readonly #rules: IntakeRules
  readonly #view: IntakeView
  readonly #entering = new Map<string, number>()
  #waiting = 0
  #isStopped = false

  constructor(rules: IntakeRules, view: IntakeView) {
    this.#rules = rules
    this.#view = view
  }

  /** What is on its way still gets in. */
  stop(): void {
    this.#isStopped = true
  }

  /** Asked before a request is read. */
  busy(): Refusal | null {
    const { maxWaitingJobs, maxLoopDelayMs } = this.#rules
    if (this.#waiting >= maxWaitingJobs)
      return busyBy(`${this.#waiting} jobs are on their way to the store, of at most ${maxWaitingJobs}.`)
    const delayMs = this.#view.loopDelayMs()
    return delayMs > maxLoopDelayMs ? busyBy(`The server is ${Math.round(delayMs)} ms behind.`) : null
  }

  /**
   * Lets the jobs in while the work goes on: those that are on their way count as waiting. `open` is how many are known
   * to be there in whatever way, if somebody looked.
   */
  async through<Answer>(
    room: string,
    count: number,
    open: number,
    work: () => Promise<Answer>,
  ): Promise<Answer | Refusal> {
    if (this.#isStopped) return stopping()
    const entering = this.#entering.get(room) ?? 0
    const pending = Math.max(this.#view.pendingIn(room), open) + entering
    const { roomMaxPending } = this.#rules
    if (pending + count > roomMaxPending) return queueFull(pending, roomMaxPending)
    this.#entering.set(room, entering + count)
    this.#waiting += count
    try {
      return await work()
    } finally {
      this.#waiting -= count
      const left = (this.#entering.get(room) ?? 0) - count
      if (left > 0) this.#entering.set(room, left)
      else this.#entering.delete(room)
    }
  }
}

function stopping(): Refusal {
  const message = 'The server is being stopped, and nobody else would run what it takes in now.'
  return refuse('server_stopping', message, { retryAfterMs: restartMs })
}

function queueFull(pending: number, limit: number): Refusal {
  const message = `About ${pending} jobs wait in this room, of at most ${limit} (roomMaxPending).`
  return refuse('queue_full', message, { limit, pending, retryAfterMs: queueRetryMs })
}

function busyBy(message: string): Refusal {
  return refuse('server_busy', message, { retryAfterMs: busyRetryMs })
}
