// The last passes of this replica, for the screen. A pass only leaves its snapshot and its plan here, which it has made
// anyway; what they look like, and what they sum up to, is computed when somebody asks. How many are remembered whole is
// bounded by their size.

import type { Assignment, PlacementPlan, PlacementSnapshot } from '@millrace/domain'

export interface Drawing {
  readonly snapshot: PlacementSnapshot
  readonly plan: PlacementPlan
}

export interface KeptPass {
  /** When the first of them was made; no two have the same. */
  readonly since: number
  at: number
  /** How many followed each other so closely that they stand as one. */
  passes: number
  planMs: number
  /** What each of them started, and what the last left waiting: in full, or in sum when it was too much to remember. */
  assigned: (readonly Assignment[])[]
  drawing: Drawing | null
  sums: PassSums | null
  size: number
}

export interface PassSums {
  readonly started: number
  readonly waiting: number
}

const passesKept = 200
/** A busy server makes thousands of passes a second, of which each alone says nothing to anybody. */
const togetherMs = 100
/** Rooms, classes, workers and assignments over all drawings: some 5 MB. */
const sizeAtMost = 20_000

export class PassBook {
  readonly #passes: KeptPass[] = []
  #size = 0

  /** Oldest first. */
  all(): readonly KeptPass[] {
    return this.#passes
  }

  note(at: number, snapshot: PlacementSnapshot, plan: PlacementPlan, planMs: number): void {
    const pass = this.#passAt(at)
    pass.at = at
    pass.passes += 1
    pass.planMs = planMs
    pass.assigned.push(plan.assignments)
    const before = pass.drawing ? sizeOf(pass.drawing) : 0
    pass.drawing = { snapshot, plan }
    const grown = sizeOf(pass.drawing) - before + plan.assignments.length + 1
    pass.size += grown
    this.#size += grown
    this.#makeRoom(pass)
  }

  #passAt(at: number): KeptPass {
    // A clock that was set back would give two passes one name, or all that come until then to one.
    if (at < (this.#passes.at(-1)?.since ?? at)) this.#forgetAll()
    const last = this.#passes.at(-1)
    if (last && at < last.since + togetherMs) return last
    const pass: KeptPass = {
      since: at,
      at,
      passes: 0,
      planMs: 0,
      assigned: [],
      drawing: null,
      sums: null,
      size: 0,
    }
    this.#passes.push(pass)
    if (this.#passes.length > passesKept) this.#size -= this.#passes.shift()?.size ?? 0
    return pass
  }

  #forgetAll(): void {
    this.#passes.length = 0
    this.#size = 0
  }

  /** The last one is kept whatever its size. */
  #makeRoom(last: KeptPass): void {
    for (const pass of this.#passes) {
      if (this.#size <= sizeAtMost || pass === last) return
      if (!pass.drawing) continue
      this.#size -= pass.size
      Object.assign(pass, { size: 0, sums: sumsOf(pass), drawing: null, assigned: [] })
    }
  }
}

/** Of the rooms that `counts` says so of. */
export function sumsOf(
  { assigned, drawing, sums }: KeptPass,
  counts: (key: string) => boolean = () => true,
): PassSums {
  if (sums) return sums
  const sum = (list: readonly { readonly class: string; readonly count: number }[]): number =>
    list.reduce((total, { class: key, count }) => (counts(key) ? total + count : total), 0)
  const started = assigned.reduce((total, assignments) => total + sum(assignments), 0)
  return { started, waiting: sum(drawing?.plan.waiting ?? []) }
}

function sizeOf({ snapshot: { rooms, classes, workers } }: Drawing): number {
  return rooms.length + classes.length + workers.length
}
