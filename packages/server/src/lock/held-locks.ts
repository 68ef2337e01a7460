// Which locks were last held through this replica, by session: when a connection or an attempt ends, its locks are freed
// after the grace period. It is memory; what it forgets in a crash ends by its time to live.

import { expireLock, isRefusal, lockGraceMs, type SessionId, sessionLost } from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { changeLock } from './change-lock.ts'

interface Place {
  readonly room: string
  readonly target: string
}

export class HeldLocks {
  readonly #store: Store
  readonly #places = new Map<SessionId, Map<string, Place>>()

  constructor(store: Store) {
    this.#store = store
  }

  get any(): boolean {
    return this.#places.size > 0
  }

  has(session: SessionId): boolean {
    return this.#places.has(session)
  }

  holds(session: SessionId, room: string, target: string): void {
    const places = this.#places.get(session) ?? new Map<string, Place>()
    places.set(`${room}/${target}`, { room, target })
    this.#places.set(session, places)
  }

  freed(session: SessionId, room: string, target: string): void {
    const places = this.#places.get(session)
    places?.delete(`${room}/${target}`)
    if (places?.size === 0) this.#places.delete(session)
  }

  /** The session may come back within the grace period; refreshing then keeps what it holds. */
  async lost(session: SessionId, graceMs: number = lockGraceMs): Promise<void> {
    const places = this.#places.get(session)
    if (!places) return
    this.#places.delete(session)
    for (const { room, target } of places.values()) {
      const lock = await changeLock(this.#store, room, target, (one, now) =>
        expireLock(sessionLost(one, session, now, graceMs), now),
      )
      if (isRefusal(lock)) throw new Error(lock.message)
    }
  }
}
