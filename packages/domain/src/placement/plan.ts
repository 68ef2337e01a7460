// What placement answers: who starts what, and for everything that has to wait the reason, with the figures that a
// person needs to act on it.

import type { WorkerId } from '../ids.ts'
import type { Resources } from '../worker/resources.ts'

export interface PlacementPlan {
  /** Sorted by class, then worker. */
  readonly assignments: readonly Assignment[]
  /** Everything that could be offered did fit, so no flow was run. */
  readonly direct: boolean
  /** One entry for each class with jobs left over, sorted by class. */
  readonly waiting: readonly Waiting[]
  /** Jobs that the flow sent to a pool where, together with others, they did not fit. */
  readonly vectorRejects: number
}

export interface Assignment {
  readonly class: string
  readonly worker: WorkerId
  readonly count: number
}

export interface Waiting {
  readonly class: string
  readonly count: number
  readonly why: WaitReason
}

export type WaitReason =
  | { readonly reason: 'no_worker'; readonly ability: string; readonly addressee?: WorkerId }
  | { readonly reason: 'label_mismatch'; readonly missing: readonly string[] }
  | {
      readonly reason: 'not_enough'
      readonly resource: keyof Resources
      readonly needed: number
      readonly largest: number
    }
  | {
      readonly reason: 'workers_unavailable'
      readonly draining: number
      readonly unhealthy: number
      readonly because: readonly string[]
    }
  | { readonly reason: 'all_slots_busy'; readonly scarce: keyof Resources }
  /** Its workers have free slots, and keep them for classes whose runs are short. */
  | { readonly reason: 'kept_for_short'; readonly slots: number }
  | { readonly reason: 'room_limit'; readonly limit: number; readonly running: number }
  | { readonly reason: 'extension_limit'; readonly limit: number; readonly running: number }
  | { readonly reason: 'global_limit'; readonly limit: number; readonly running: number }
  | { readonly reason: 'start_limit'; readonly limit: number }
  | { readonly reason: 'breaker_open'; readonly until: number }
  | { readonly reason: 'breaker_probing' }
  | { readonly reason: 'paused'; readonly by: string }
