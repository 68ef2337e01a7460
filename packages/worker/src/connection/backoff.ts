// Waits longer after each try, and never as long as others do: a thousand workers that lose one server must not come
// back in one second.

export interface BackoffRange {
  readonly first: number
  readonly last: number
}

export class Backoff {
  readonly #range: BackoffRange
  #tries = 0
  #timer: NodeJS.Timeout | null = null

  constructor(range: BackoffRange) {
    this.#range = range
  }

  /** One wait at a time: asking for another while one is on changes nothing. */
  wait(run: () => void): void {
    if (this.#timer) return
    const full = Math.min(this.#range.last, this.#range.first * 2 ** this.#tries)
    this.#tries += 1
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        run()
      },
      full * (0.5 + Math.random() / 2),
    )
  }

  reset(): void {
    this.stop()
    this.#tries = 0
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
