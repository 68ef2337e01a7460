// Records that many requests need and few change (rooms, extensions, users), as this replica last read them. The feed
// forgets what another replica changed; whoever commits here forgets it at once. A decision that must not lag names the
// version it was made on in its commit.

import type { Partition, RecordKey, Store, StoredRecord } from '../ports/store.ts'

export interface Known<Value> {
  readonly value: Value
  readonly version: number
}

/** What is remembered is bounded, because a caller may ask for any number of names that do not exist. */
const capacity = 10_000

export class RecordMemory<Value> {
  readonly #store: Store
  readonly #decode: (record: StoredRecord) => Value
  readonly #known = new Map<string, Promise<Known<Value> | null>>()

  constructor(store: Store, decode: (record: StoredRecord) => Value) {
    this.#store = store
    this.#decode = decode
  }

  /** Callers that ask while a read is under way share it. */
  get(partition: Partition, key: RecordKey): Promise<Known<Value> | null> {
    const place = `${partition}\n${key}`
    const known = this.#known.get(place)
    if (known) return known
    const reading = this.#read(partition, key)
    this.#remember(place, reading)
    // A failed read is not remembered: the store may answer the next one.
    reading.catch(() => {
      if (this.#known.get(place) === reading) this.#known.delete(place)
    })
    return reading
  }

  /** A read that is under way when its record changes is forgotten with it, so an old answer is never kept. */
  forget(partition: Partition, key: RecordKey): void {
    this.#known.delete(`${partition}\n${key}`)
  }

  forgetAll(): void {
    this.#known.clear()
  }

  async #read(partition: Partition, key: RecordKey): Promise<Known<Value> | null> {
    const [record] = await this.#store.read(partition, [key])
    return record ? { value: this.#decode(record), version: record.version } : null
  }

  #remember(place: string, reading: Promise<Known<Value> | null>): void {
    if (this.#known.size >= capacity) {
      const oldest = this.#known.keys().next().value
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(place, reading)
  }
}
