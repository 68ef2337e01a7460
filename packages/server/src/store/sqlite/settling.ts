// What every part of the writer's memory can do: hold changes that the tables do not have yet, write them there within
// the transaction of a settle, and let go of them once that is committed. A settle that fails has changed no memory.

export interface Settling {
  save(): void
  saved(): void
}
