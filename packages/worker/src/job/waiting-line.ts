// Attempts that wait for a slot of this worker, because their jobs are so short that the server hands them over early.
// Rooms take turns: one with many jobs must not make another's wait for all of them.

import type { Attempt } from './attempt.ts'

export class WaitingLine {
  readonly #rooms = new Map<string, Attempt[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(attempt: Attempt): void {
    const { room } = attempt.ref
    const its = this.#rooms.get(room)
    if (its) its.push(attempt)
    else this.#rooms.set(room, [attempt])
    this.#size += 1
  }

  /** The next in turn, if it fits into so many slots. */
  next(free: number): Attempt | null {
    const [first] = this.#rooms
    if (!first) return null
    const [room, its] = first
    const attempt = its[0]
    if (!attempt || attempt.slots > free) return null
    its.shift()
    this.#size -= 1
    this.#rooms.delete(room)
    if (its.length > 0) this.#rooms.set(room, its)
    return attempt
  }

  /** True when it stood here. */
  remove(attempt: Attempt): boolean {
    const its = this.#rooms.get(attempt.ref.room)
    const at = its?.indexOf(attempt) ?? -1
    if (!its || at < 0) return false
    its.splice(at, 1)
    this.#size -= 1
    if (its.length === 0) this.#rooms.delete(attempt.ref.room)
    return true
  }

  takeAll(): readonly Attempt[] {
    const all = [...this.#rooms.values()].flat()
    this.#rooms.clear()
    this.#size = 0
    return all
  }
}
