// Asks the server about locks, and asks again what was not answered: after a reconnect, or a second later where the
// server cannot just now.

import type { AnswerOf, LockView, PayloadOf, serverEvents } from '@millrace/protocol'
import { isPassing } from '../report/verdict.ts'
import { LockRefused } from '../worker-error.ts'

type LockEvents = Pick<typeof serverEvents, 'lockAcquire' | 'lockRefresh' | 'lockMessage' | 'lockRelease'>

export type LockQuestion = {
  [Key in keyof LockEvents]: {
    readonly event: LockEvents[Key]['event']
    readonly payload: PayloadOf<LockEvents[Key]>
  }
}[keyof LockEvents]

type LockAnswer = AnswerOf<LockEvents['lockAcquire']>

/** A way to the server. The answer is null when none will come. */
export type LockWire = (question: LockQuestion, answered: (answer: LockAnswer | null) => void) => void

/** What the server knows of the lock, and when it was asked: a holding lasts its time to live from then on at least. */
export interface Answered {
  readonly view: LockView
  readonly askedAt: number
}

interface Asked {
  readonly question: LockQuestion
  readonly resolve: (answered: Answered) => void
  readonly reject: (error: unknown) => void
  /** By the monotonic clock; of the last time it was sent. */
  askedAt: number
}

const againMs = 1_000

export class LockLine {
  readonly #waiting = new Set<Asked>()
  #wire: LockWire | null = null
  #againTimer: NodeJS.Timeout | null = null

  /** Rejects with `LockRefused` when the server says no, and with the reason of `until` when that is aborted first. */
  async ask(question: LockQuestion, until: AbortSignal): Promise<Answered> {
    let forget = (): void => undefined
    try {
      return await new Promise<Answered>((resolve, reject) => {
        const asked = { question, resolve, reject, askedAt: 0 }
        const giveUp = (): void => {
          this.#waiting.delete(asked)
          reject(until.reason)
        }
        until.addEventListener('abort', giveUp, { once: true })
        forget = () => until.removeEventListener('abort', giveUp)
        this.#waiting.add(asked)
        this.#send(asked)
      })
    } finally {
      forget()
    }
  }

  open(wire: LockWire): void {
    this.#wire = wire
    for (const asked of this.#waiting) this.#send(asked)
  }

  /** What was under way is asked again when the next connection stands. */
  close(): void {
    this.#wire = null
    if (this.#againTimer) clearTimeout(this.#againTimer)
    this.#againTimer = null
  }

  #send(asked: Asked): void {
    const wire = this.#wire
    asked.askedAt = performance.now()
    wire?.(asked.question, (answer) => {
      // The answer over a connection that broke meanwhile is about a question that was asked again.
      if (wire === this.#wire && this.#waiting.has(asked)) this.#answered(asked, answer)
    })
  }

  #answered(asked: Asked, answer: LockAnswer | null): void {
    if (answer === null || (!answer.ok && isPassing(answer.problem))) {
      this.#againTimer ??= setTimeout(() => this.#again(), againMs).unref()
      return
    }
    this.#waiting.delete(asked)
    if (answer.ok) asked.resolve({ view: answer, askedAt: asked.askedAt })
    else asked.reject(new LockRefused(answer.problem))
  }

  #again(): void {
    this.#againTimer = null
    for (const asked of this.#waiting) this.#send(asked)
  }
}
