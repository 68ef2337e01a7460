// The last passes of this replica, for the screen. A pass only leaves its snapshot and its plan here, which it has made
// anyway; what they look like is computed when somebody asks. How many are remembered whole is bounded by their size.

import type { PlacementPlan, PlacementSnapshot } from '@millrace/domain'

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
  /** Jobs that were started, by class, over all of them. */
  readonly starts: Map<string, number>
  waiting: number
  /** Of the last of them; null when it was too much to remember. */
  drawing: Drawing | null
  size: number
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
    pass.waiting = 0
    for (const { count } of plan.waiting) pass.waiting += count
    for (const { class: key, count } of plan.assignments)
      pass.starts.set(key, (pass.starts.get(key) ?? 0) + count)
    pass.drawing = { snapshot, plan }
    this.#size -= pass.size
    pass.size = sizeOf(snapshot, plan) + pass.starts.size
    this.#size += pass.size
    this.#makeRoom(pass)
  }

  #passAt(at: number): KeptPass {
    const last = this.#passes.at(-1)
    // A clock that was set back must not give two passes one name.
    if (last && at < last.since + togetherMs) return last
    const pass = {
      since: at,
      at,
      passes: 0,
      planMs: 0,
      starts: new Map(),
      waiting: 0,
      drawing: null,
      size: 0,
    }
    this.#passes.push(pass)
    if (this.#passes.length > passesKept) this.#size -= this.#passes.shift()?.size ?? 0
    return pass
  }

  /** The last one is kept whatever its size. */
  #makeRoom(last: KeptPass): void {
    for (const pass of this.#passes) {
      if (this.#size <= sizeAtMost || pass === last) return
      this.#size -= pass.size
      pass.size = 0
      pass.drawing = null
    }
  }
}

function sizeOf({ rooms, classes, workers }: PlacementSnapshot, { assignments }: PlacementPlan): number {
  return rooms.length + classes.length + workers.length + assignments.length
}
