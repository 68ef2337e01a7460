// What happened, line by line. Ids are made of real dice, which decide nothing but how they are written; they are named
// here by the order in which they first appear, so that the same history leaves the same lines.

import { createHash } from 'node:crypto'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export class Trace {
  readonly #now: () => number
  readonly #startedAt: number
  readonly #names = new Map<string, string>()
  readonly #lines: string[] = []

  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = now()
  }

  note(who: string, what: string): void {
    const at = ((this.#now() - this.#startedAt) / 1_000).toFixed(3).padStart(8)
    this.#lines.push(`${at} ${who}: ${this.named(what)}`)
  }

  named(text: string): string {
    return text.replace(uuid, (id) => {
      const name = this.#names.get(id) ?? `#${this.#names.size + 1}`
      this.#names.set(id, name)
      return name
    })
  }

  /** Lines that speak of any of these words, or all of them; the last so many. */
  tail(count: number, words: readonly string[] = []): readonly string[] {
    const wanted = words.map((word) => this.named(word))
    const isMeant = (line: string): boolean =>
      wanted.length === 0 || wanted.some((word) => line.split(/[^#\w.-]+/).includes(word))
    return this.#lines.filter(isMeant).slice(-count)
  }

  get length(): number {
    return this.#lines.length
  }

  hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex')
  }
}
