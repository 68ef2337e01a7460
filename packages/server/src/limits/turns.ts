// One task in a turn of the event loop. Thousands that come together would otherwise all be done before anything else is
// looked at, whoever waits for it. Those of one lane keep their order, and lanes take turns.

export class Turns<Lane = undefined> {
  readonly #waiting = new Map<Lane, (() => void)[]>()
  #isTaken = false

  /** At once if this turn is still free. */
  take(lane: Lane, task: () => void): void {
    if (this.#isTaken) {
      const tasks = this.#waiting.get(lane)
      if (tasks) tasks.push(task)
      else this.#waiting.set(lane, [task])
      return
    }
    this.#isTaken = true
    setImmediate(this.#next)
    task()
  }

  readonly #next = (): void => {
    const task = this.#shift()
    this.#isTaken = task !== undefined
    if (task === undefined) return
    setImmediate(this.#next)
    task()
  }

  /** Of the lane that has waited longest, which then stands behind all others. */
  #shift(): (() => void) | undefined {
    for (const [lane, tasks] of this.#waiting) {
      const task = tasks.shift()
      this.#waiting.delete(lane)
      if (tasks.length > 0) this.#waiting.set(lane, tasks)
      return task
    }
    return undefined
  }
}
