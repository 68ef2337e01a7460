// The locks of all attempts on this worker. It lives in the worker's own process, so that a handler which blocks a runner
// keeps its lock; whoever asks twice for the same target holds it twice, and the server is asked once.

import type { AttemptRef } from '@millrace/protocol'
import type { LockLost } from '../worker-error.ts'
import { KeptLock } from './kept-lock.ts'
import type { Holding, LockDesk, LockRequest } from './lock-desk.ts'
import { LockLine, type LockWire } from './lock-line.ts'

export class LockKeeper implements LockDesk {
  readonly #line = new LockLine()
  /** By the token of their attempt, then by target. */
  readonly #kept = new Map<string, Map<string, KeptLock>>()

  open(wire: LockWire): void {
    this.#line.open(wire)
    for (const locks of this.#kept.values()) for (const lock of locks.values()) lock.refreshNow()
  }

  close(): void {
    this.#line.close()
    for (const locks of this.#kept.values()) for (const lock of locks.values()) lock.connectionLost()
  }

  async hold(ref: AttemptRef, request: LockRequest, onLost: (lost: LockLost) => void): Promise<Holding> {
    const locks = this.#kept.get(ref.token) ?? new Map<string, KeptLock>()
    this.#kept.set(ref.token, locks)
    const known = locks.get(request.target)
    const lock = known ?? new KeptLock(this.#line, ref, request)
    locks.set(request.target, lock)
    lock.count += 1
    const gone = (lost: LockLost): void => {
      this.#forget(ref.token, request.target, lock)
      onLost(lost)
    }
    lock.onLost.add(gone)
    try {
      await lock.acquired
    } catch (error) {
      this.#forget(ref.token, request.target, lock)
      throw error
    }
    if (known && request.message !== undefined) await lock.say(request.message)
    return {
      fence: lock.fence,
      say: (message) => lock.say(message),
      release: async () => {
        lock.onLost.delete(gone)
        lock.count -= 1
        if (lock.count > 0) return
        this.#forget(ref.token, request.target, lock)
        await lock.release()
      },
    }
  }

  /** The handler has ended: what it still holds is released. */
  ended(token: string): void {
    for (const lock of this.#take(token)) void lock.release()
  }

  /** The attempt is no longer this worker's, nor are its locks. */
  superseded(token: string): void {
    for (const lock of this.#take(token)) lock.lose('the server gave this job up.')
  }

  #take(token: string): readonly KeptLock[] {
    // Asked for every job, and most have none.
    if (this.#kept.size === 0) return []
    const locks = this.#kept.get(token)
    this.#kept.delete(token)
    return locks ? [...locks.values()] : []
  }

  #forget(token: string, target: string, lock: KeptLock): void {
    const locks = this.#kept.get(token)
    if (locks?.get(target) === lock) locks.delete(target)
    if (locks?.size === 0) this.#kept.delete(token)
  }
}
