// One clock for all processes of a bench, finer than a millisecond, and notes of how long jobs waited by it.

export function now(): number {
  return performance.timeOrigin + performance.now()
}

export type Waits = Readonly<Record<string, readonly number[]>>

/** Kept in the process where handlers begin, by room or queue. */
export class WaitNotes {
  #waits: Record<string, number[]> = {}

  began(where: string, sentAt: number): void {
    const waits = this.#waits[where] ?? []
    this.#waits[where] = waits
    waits.push(now() - sentAt)
  }

  /** What has been noted since the last time. */
  take(): Waits {
    const taken = this.#waits
    this.#waits = {}
    return taken
  }
}
