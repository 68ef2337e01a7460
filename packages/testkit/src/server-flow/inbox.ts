// Messages in the order they came. A test takes what has come already or waits for what is to come, so it never has to
// be quicker than the server.

export class Inbox<Message> {
  readonly all: Message[] = []
  readonly #taken = new Set<number>()
  readonly #waiting = new Set<() => void>()

  push(message: Message): void {
    this.all.push(message)
    for (const look of [...this.#waiting]) look()
  }

  /** The first accepted message that was not taken yet. */
  next(accept: (message: Message) => boolean = () => true): Promise<Message> {
    return new Promise((resolve) => {
      const look = (): void => {
        const at = this.all.findIndex((message, n) => !this.#taken.has(n) && accept(message))
        if (at < 0) return
        this.#taken.add(at)
        this.#waiting.delete(look)
        resolve(this.all[at] as Message)
      }
      this.#waiting.add(look)
      look()
    })
  }

  async take(count: number): Promise<readonly Message[]> {
    const taken: Message[] = []
    while (taken.length < count) taken.push(await this.next())
    return taken
  }

  /** Resolves when this holds of all that came. */
  until(holds: (all: readonly Message[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds(this.all)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }
}
