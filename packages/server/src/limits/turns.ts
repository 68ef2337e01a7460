// One task in a turn of the event loop, in the order in which they came. Thousands that come together would otherwise all
// be done before anything else is looked at, whoever waits for it.

export class Turns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** At once if this turn is still free. */
  take(task: () => void): void {
    if (this.#isTaken) {
      this.#waiting.push(task)
      return
    }
    this.#isTaken = true
    setImmediate(this.#next)
    task()
  }

  readonly #next = (): void => {
    const task = this.#waiting.shift()
    this.#isTaken = task !== undefined
    if (task === undefined) return
    setImmediate(this.#next)
    task()
  }
}
