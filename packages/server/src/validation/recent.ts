// A map that keeps what was used last and forgets the rest.

export class Recent<Value> {
  readonly #capacity: number
  readonly #kept = new Map<string, Value>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }

  set(key: string, value: Value): void {
    this.#kept.delete(key)
    this.#kept.set(key, value)
    if (this.#kept.size <= this.#capacity) return
    const oldest = this.#kept.keys().next().value
    if (oldest !== undefined) this.#kept.delete(oldest)
  }
}
