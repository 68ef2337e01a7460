// What every part of the writer's memory can do: hold changes that the tables lack, and write them there within the
// transaction of a settle. A settle goes on in slices while new changes come in, so what it is to write is set aside
// first: it is found in memory until the tables have it, and a settle that failed begins again with it.

export interface Settling {
  /** Everything that changed is for the settle that begins; what changes from now on is for the next. */
  setAside(): void
  /** Writes what was set aside. Every step is short. */
  save(): Iterable<unknown>
  /** The tables have what was set aside. */
  saved(): void
}

/** Writes rows, a few in each step. */
export function* inSteps<Row>(rows: Iterable<Row>, save: (row: Row) => unknown): Generator<void> {
  let written = 0
  for (const row of rows) {
    save(row)
    written += 1
    if (written % 32 === 0) yield
  }
}
