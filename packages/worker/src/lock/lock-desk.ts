// Where a job asks for its locks: the keeper of its worker, or, in a runner, the way there.

import type { AttemptRef } from '@millrace/protocol'
import type { LockLost } from '../worker-error.ts'

export interface LockRequest {
  readonly target: string
  readonly ttlMs: number
  readonly message?: string
}

export interface Holding {
  readonly fence: number
  /** Rejects with `LockRefused`. */
  say(message: string | null): Promise<void>
  /** Never rejects: what could not be released has ended or will. */
  release(): Promise<void>
}

export interface LockDesk {
  /** Rejects with `LockRefused`. The holding is kept alive until it is released, lost, or the attempt ends. */
  hold(ref: AttemptRef, request: LockRequest, onLost: (lost: LockLost) => void): Promise<Holding>
}
