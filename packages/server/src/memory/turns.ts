// One at a time under one name, in the order of asking. Commits are safe without it; but when a thousand workers come
// back at once, all to change one record, each would be overtaken by all the others before its turn came.

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(name) ?? Promise.resolve()
    // What went wrong before is told to whoever asked for it.
    const turn = before.then(work, work)
    this.#last.set(name, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name)
    }
  }
}
