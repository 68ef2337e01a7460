// Which locks were last held through this replica, by session: when a connection or an attempt ends, its locks are freed
// after the grace period. It is memory; what it forgets in a crash ends by its time to live, and what has ended so is
// forgotten, because sessions are named by clients and may be as many as they like.

import { expireLock, isRefusal, lockGraceMs, type SessionId, sessionLost } from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { changeLock } from './change-lock.ts'

interface Place {
  readonly room: string
  readonly target: string
  readonly expiresAt: number
}

interface Session {
  readonly places: Map<string, Place>
  /** The connection that spoke last for it: one that was replaced and ends late takes nothing along. */
  speaker: object | null
}

export class HeldLocks {
  readonly #store: Store
  readonly #sessions = new Map<SessionId, Session>()

  constructor(store: Store) {
    this.#store = store
  }

  get any(): boolean {
    return this.#sessions.size > 0
  }

  has(session: SessionId): boolean {
    return this.#sessions.has(session)
  }

  holds(name: SessionId, place: Place): void {
    const session = this.#sessions.get(name) ?? { places: new Map(), speaker: null }
    session.places.set(nameOf(place), place)
    this.#sessions.set(name, session)
  }

  freed(name: SessionId, place: Pick<Place, 'room' | 'target'>): void {
    const places = this.#sessions.get(name)?.places
    places?.delete(nameOf(place))
    if (places?.size === 0) this.#sessions.delete(name)
  }

  /** For a session that holds nothing nobody has to speak. */
  speaks(speaker: object, name: SessionId): void {
    const session = this.#sessions.get(name)
    if (session) session.speaker = speaker
  }

  spokenForBy(speaker: object): readonly SessionId[] {
    return [...this.#sessions].filter(([, session]) => session.speaker === speaker).map(([name]) => name)
  }

  forgetExpired(now: number): void {
    for (const [name, { places }] of this.#sessions)
      for (const place of places.values()) if (place.expiresAt <= now) this.freed(name, place)
  }

  /** The session may come back within the grace period; refreshing then keeps what it holds. */
  async lost(session: SessionId, graceMs: number = lockGraceMs): Promise<void> {
    const known = this.#sessions.get(session)
    if (!known) return
    this.#sessions.delete(session)
    for (const { room, target } of known.places.values()) {
      const lock = await changeLock(this.#store, room, target, (one, now) =>
        expireLock(sessionLost(one, session, now, graceMs), now),
      )
      if (isRefusal(lock)) throw new Error(lock.message)
    }
  }
}

function nameOf({ room, target }: Pick<Place, 'room' | 'target'>): string {
  return `${room}/${target}`
}
