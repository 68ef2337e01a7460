// An answer shows what was true when the server read it, and events may have overtaken it on the way. The journal keeps
// what was heard lately, so that an answer that comes late is brought up to date and a row never falls back.

export interface Dated {
  readonly id: string
}

interface Entry<Patch> {
  readonly heardAt: number
  readonly patch: Patch
}

/** Lists may be read from a copy of the store that lags a little behind the feed. */
const keptMs = 5_000

export class PatchJournal<Patch extends Dated> {
  readonly #now: () => number
  #entries: Entry<Patch>[] = []
  readonly #open = new Set<number>()

  constructor(now: () => number) {
    this.#now = now
  }

  note(patches: Iterable<Patch>): void {
    const heardAt = this.#now()
    for (const patch of patches) this.#entries.push({ heardAt, patch })
    this.#forget()
  }

  /** Runs a fetch and hands what was heard since shortly before it began to whoever brings its answer up to date. */
  async during<Answer>(
    fetching: () => Promise<Answer>,
    catchUp: (answer: Answer, heard: readonly Patch[]) => Answer,
  ): Promise<Answer> {
    const begunAt = this.#now()
    this.#open.add(begunAt)
    try {
      const answer = await fetching()
      const from = begunAt - keptMs
      return catchUp(
        answer,
        this.#entries.filter((entry) => entry.heardAt >= from).map((entry) => entry.patch),
      )
    } finally {
      this.#open.delete(begunAt)
      this.#forget()
    }
  }

  #forget(): void {
    const oldest = Math.min(this.#now(), ...this.#open) - keptMs
    const first = this.#entries[0]
    if (first === undefined || first.heardAt >= oldest) return
    this.#entries = this.#entries.filter((entry) => entry.heardAt >= oldest)
  }
}
