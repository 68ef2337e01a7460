// Reports about one attempt are taken in the order they came, though each waits for the store: a completion that overtook
// its own start, or a log line that came after the end, would be refused for no fault of the worker's.

import type { AttemptToken } from '@millrace/domain'

export class AttemptTurns {
  readonly #last = new Map<AttemptToken, Promise<unknown>>()

  take<Answer>(tokens: readonly AttemptToken[], work: () => Promise<Answer>): Promise<Answer> {
    const before = new Set<Promise<unknown>>()
    for (const token of tokens) {
      const last = this.#last.get(token)
      if (last) before.add(last)
    }
    const turn = before.size === 0 ? work() : Promise.allSettled(before).then(work)
    for (const token of tokens) this.#last.set(token, turn)
    const leave = (): void => {
      for (const token of tokens) if (this.#last.get(token) === turn) this.#last.delete(token)
    }
    turn.then(leave, leave)
    return turn
  }
}
