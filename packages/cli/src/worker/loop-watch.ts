// Asks the process of a worker's file now and then whether its event loop turns. One that computes without waiting sends no
// beats either, and loses its jobs without anybody in front of it knowing why.

/** Between an answer and the next question. */
const pauseMs = 2_000
/** A busy machine answers within; what takes longer is a handler that does not wait. */
const patienceMs = 5_000

export class LoopWatch {
  readonly #ask: () => void
  readonly #onBlocked: () => void
  #timer: NodeJS.Timeout | null = null

  constructor(ask: () => void, onBlocked: () => void) {
    this.#ask = ask
    this.#onBlocked = onBlocked
  }

  start(): void {
    this.stop()
    this.#question()
  }

  /** One that was blocked is asked again only now, so a block is told of once. */
  answered(): void {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#question(), pauseMs).unref()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #question(): void {
    this.#ask()
    // Read what has come before it is judged: this process may have stood still itself.
    this.#timer = setTimeout(() => {
      const asked = this.#timer
      setImmediate(() => {
        if (this.#timer === asked) this.#onBlocked()
      })
    }, patienceMs).unref()
  }
}
