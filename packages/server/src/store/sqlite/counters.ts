// The counters of partitions. Those of a partition are read from their table together when one is first asked for.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { PartitionRow } from './names.ts'
import { inSteps, type Settling } from './settling.ts'

interface PartitionCounters {
  readonly partition: number
  readonly values: Map<string, number>
  readonly changed: Set<string>
}

interface CounterRow {
  readonly partition: number
  readonly name: string
  readonly value: number
}

export class Counters implements Settling {
  readonly #partitions = new Map<number, PartitionCounters>()
  readonly #changed = new Set<PartitionCounters>()
  #setAside: readonly CounterRow[] = []
  readonly #find: StatementSync
  readonly #save: StatementSync
  readonly #drop: StatementSync

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT name, value FROM counter WHERE partition = ?')
    this.#find.setReturnArrays(true)
    this.#save = db.prepare('INSERT OR REPLACE INTO counter (partition, name, value) VALUES (?, ?, ?)')
    this.#drop = db.prepare('DELETE FROM counter WHERE partition = ? AND name = ?')
  }

  /** Those that are not 0. */
  of(partition: PartitionRow): ReadonlyMap<string, number> {
    return this.#at(partition).values
  }

  add(
    partition: PartitionRow,
    deltas: Iterable<readonly [name: string, delta: number]>,
    times: number,
  ): void {
    const counters = this.#at(partition)
    for (const [name, delta] of deltas) {
      const value = (counters.values.get(name) ?? 0) + delta * times
      if (value === 0) counters.values.delete(name)
      else counters.values.set(name, value)
      counters.changed.add(name)
      this.#changed.add(counters)
    }
  }

  setAside(): void {
    this.#setAside = [...this.#changed].flatMap(({ partition, values, changed }) =>
      [...changed].map((name) => ({ partition, name, value: values.get(name) ?? 0 })),
    )
    for (const { changed } of this.#changed) changed.clear()
    this.#changed.clear()
  }

  save(): Iterable<unknown> {
    return inSteps(this.#setAside, ({ partition, name, value }) =>
      value === 0 ? this.#drop.run(partition, name) : this.#save.run(partition, name, value),
    )
  }

  saved(): void {
    this.#setAside = []
  }

  #at({ id }: PartitionRow): PartitionCounters {
    const known = this.#partitions.get(id)
    if (known) return known
    const rows = this.#find.all(id) as unknown as [string, number][]
    const found = { partition: id, values: new Map(rows), changed: new Set<string>() }
    this.#partitions.set(id, found)
    return found
  }
}
