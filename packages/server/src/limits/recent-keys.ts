// What is remembered of many who come by, for a bounded number of them: who has not come for the longest is forgotten
// first, so that nobody fills the memory by coming under ever new names.

export class RecentKeys<Value> {
  readonly #most: number
  readonly #values = new Map<string, Value>()

  constructor(most = 10_000) {
    this.#most = most
  }

  get(key: string): Value | null {
    return this.#values.get(key) ?? null
  }

  set(key: string, value: Value): void {
    if (!this.#values.delete(key) && this.#values.size >= this.#most) {
      const oldest = this.#values.keys().next().value
      if (oldest !== undefined) this.#values.delete(oldest)
    }
    this.#values.set(key, value)
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  get size(): number {
    return this.#values.size
  }
}
