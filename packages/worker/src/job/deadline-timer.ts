// One timer for all jobs of a worker. It is set for the earliest instant that anybody named; jobs that end before theirs
// cost nothing, because the look that follows finds only what is still there.

/** Node's longest timer; whoever waits longer is looked at once more in between. */
const maxTimerMs = 2 ** 31 - 1

export class DeadlineTimer {
  /** Does what is due, and says when it wants to look again; Infinity for never. */
  readonly #look: (now: number) => number
  #timer: NodeJS.Timeout | null = null
  #setFor = Number.POSITIVE_INFINITY

  constructor(look: (now: number) => number) {
    this.#look = look
  }

  expect(dueAt: number): void {
    if (dueAt >= this.#setFor) return
    this.stop()
    this.#setFor = dueAt
    const ms = Math.min(maxTimerMs, Math.max(1, Math.ceil(dueAt - performance.now())))
    this.#timer = setTimeout(() => this.#ring(), ms).unref()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#setFor = Number.POSITIVE_INFINITY
  }

  #ring(): void {
    this.stop()
    this.expect(this.#look(performance.now()))
  }
}
