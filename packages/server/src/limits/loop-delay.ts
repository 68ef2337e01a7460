// How late the event loop is, turn after turn. One long stall (a stopped process, a collection) is one late turn among
// others and no reason to refuse anybody; a loop that is late every time has more to do than it can.

const everyMs = 100
const looks = 5

export class LoopDelay {
  readonly #timer: NodeJS.Timeout
  readonly #late: number[] = Array.from({ length: looks }, () => 0)
  #expectedAt = performance.now() + everyMs
  #next = 0

  constructor() {
    this.#timer = setInterval(() => this.#look(), everyMs)
    this.#timer.unref()
  }

  /** The median of the last turns. */
  get ms(): number {
    return this.#late.toSorted((a, b) => a - b)[Math.floor(looks / 2)] ?? 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    this.#late[this.#next] = Math.max(0, now - this.#expectedAt)
    this.#next = (this.#next + 1) % looks
    this.#expectedAt = now + everyMs
  }
}
