// What the server has still to hear from a simulated worker. A report stays until it is acknowledged; what was under
// way when the connection broke waits again, in front.

import type { AttemptReport } from '@millrace/server'

export interface OutboxReport extends AttemptReport {
  /** The last word about its attempt. */
  readonly isLast: boolean
}

export class WorkerOutbox {
  #waiting: OutboxReport[] = []
  readonly #underWay = new Set<readonly OutboxReport[]>()

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#underWay.size === 0
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** A last word says the start as well, so what waited before it need not be said. */
  add(report: OutboxReport): void {
    if (report.isLast) this.#waiting = this.#waiting.filter(({ token }) => token !== report.token)
    this.#waiting.push(report)
  }

  take(): readonly OutboxReport[] {
    const message = this.#waiting
    this.#waiting = []
    this.#underWay.add(message)
    return message
  }

  /** It was answered. False: it waits again already, because its connection broke meanwhile. */
  settle(message: readonly OutboxReport[]): boolean {
    return this.#underWay.delete(message)
  }

  putBack(messages: Iterable<readonly OutboxReport[]> = [...this.#underWay]): void {
    const again = [...messages].filter((message) => this.#underWay.delete(message)).flat()
    const ended = new Set(this.#waiting.filter(({ isLast }) => isLast).map(({ token }) => token))
    this.#waiting = [...again.filter(({ token }) => !ended.has(token)), ...this.#waiting]
  }

  drop(token: string): void {
    this.#waiting = this.#waiting.filter((report) => report.token !== token)
  }

  clear(): void {
    this.#waiting = []
    this.#underWay.clear()
  }
}
