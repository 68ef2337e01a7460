// What placement is told: how much waits, and where it could run. Plain values, gathered by the caller at one instant;
// their order in the lists has no influence on the plan.

import type { RoomName, WorkerId } from '../ids.ts'
import type { Health } from '../worker/health.ts'
import type { ResourceNeed, Resources } from '../worker/resources.ts'
import type { Ahead } from './look-ahead.ts'

export interface PlacementSnapshot {
  readonly rooms: readonly RoomDemand[]
  readonly classes: readonly ClassDemand[]
  readonly workers: readonly WorkerSupply[]
  /** Only extensions with a limit or a breaker that is not closed need an entry. */
  readonly extensions?: readonly ExtensionLimit[]
  /** Jobs that may run at once over all rooms; null or absent: as many as the workers hold. */
  readonly maxRunning?: number | null
  readonly running?: number
  /** Slow start: at most this many of one class begin in one plan. */
  readonly maxStartsPerClass?: number
}

export interface RoomDemand {
  readonly name: RoomName
  /** Jobs that may run at once in the room; null: no limit. */
  readonly limit: number | null
  readonly running: number
  /** A room of weight 2 is entitled to twice the share; more than 0, default 1. */
  readonly weight?: number
  /** Breaks ties: of two rooms that stand equal, the one that waited longer since its last start goes first. */
  readonly lastStartAt?: number
}

/** One queue. Its jobs are interchangeable: the same workers can take each of them. */
export interface ClassDemand {
  readonly key: string
  readonly room: RoomName
  readonly extension: string
  /** What a worker must list among its abilities: the extension with its schema hash. */
  readonly ability: string
  /** 0 to 15, the effective priority of the job at the head; a higher band goes first within its room. */
  readonly band: number
  readonly pending: number
  readonly running?: number
  readonly lastStartAt?: number
  readonly needs?: Partial<ResourceNeed>
  readonly addressee?: WorkerId
  /** Its runs are short, so it may use the slots that workers keep for such classes. */
  readonly short?: boolean
  /** Its runs are over before the next job could be handed over: a worker may be given some ahead of its slots. */
  readonly quick?: boolean
  /** Of the quick ones: runs so short that a long line of them is over in a moment. */
  readonly instant?: boolean
  readonly pausedBy?: string
}

export interface ExtensionLimit {
  readonly extension: string
  readonly running: number
  readonly maxRunning?: number | null
  readonly breaker?: BreakerGate
}

export type BreakerGate =
  | { readonly state: 'open'; readonly until: number }
  | { readonly state: 'half_open' }
  | { readonly state: 'probing' }

export interface WorkerSupply {
  readonly id: WorkerId
  readonly abilities: readonly string[]
  readonly labels?: readonly string[]
  readonly total: Resources
  readonly free: Resources
  readonly health: Health
  readonly draining?: boolean
  /** Of the free slots, those that only short classes may take. */
  readonly keptForShort?: number
  readonly ahead?: Ahead
}
