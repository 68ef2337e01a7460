// Looks at the store that an event asked for. An event is heard once: what could not be looked at then, because the store
// was out, is looked at later.

import { StoreUnavailable } from '../ports/store-unavailable.ts'

/** How long to leave a store alone that could not be reached. */
const againMs = 1_000

type Look = () => Promise<void>

export class Looks {
  readonly #onFault: (fault: unknown) => void
  /** By what they are about. */
  readonly #toDo = new Map<string, Look>()

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault
  }

  try(subject: string, look: Look): void {
    look().catch((fault: unknown) => {
      this.#onFault(fault)
      if (!(fault instanceof StoreUnavailable)) return
      if (this.#toDo.size === 0) setTimeout(() => this.#tryAgain(), againMs).unref()
      this.#toDo.set(subject, look)
    })
  }

  #tryAgain(): void {
    const looks = [...this.#toDo]
    this.#toDo.clear()
    for (const [subject, look] of looks) this.try(subject, look)
  }
}
