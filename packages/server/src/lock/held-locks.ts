// Which locks were last held through this replica, by session: when a connection or an attempt ends, its locks are freed
// after the grace period. It is memory; what it forgets in a crash ends by its time to live, and what has ended so is
// forgotten, because sessions are named by clients and may be as many as they like.

import {
  type AttemptToken,
  expireLock,
  isRefusal,
  type JobId,
  lockGraceMs,
  type SessionId,
  sessionLost,
} from '@millrace/domain'
import type { Store } from '../ports/store.ts'
import { changeLock } from './change-lock.ts'

interface Place {
  readonly room: string
  readonly target: string
}

interface HeldPlace extends Place {
  readonly expiresAt: number
}

export interface LockingAttempt {
  readonly job: JobId
  readonly token: AttemptToken
}

interface Session {
  readonly attempt: LockingAttempt | null
  readonly places: Map<string, HeldPlace>
  /** The connection that spoke last for it: one that was replaced and ends late takes nothing along. */
  speaker: object | null
}

export function attemptSessionName(token: string): SessionId {
  return `attempt/${token}` as SessionId
}

export class HeldLocks {
  readonly #store: Store
  readonly #sessions = new Map<SessionId, Session>()
  readonly #tokensOf = new Map<JobId, readonly AttemptToken[]>()

  constructor(store: Store) {
    this.#store = store
  }

  get any(): boolean {
    return this.#sessions.size > 0
  }

  has(session: SessionId): boolean {
    return this.#sessions.has(session)
  }

  /** The attempts of a job that hold something. */
  tokensOf(job: JobId): readonly AttemptToken[] {
    return this.#tokensOf.get(job) ?? noTokens
  }

  /** The jobs whose attempts hold something, each with its room. */
  jobs(): ReadonlyMap<JobId, string> {
    const jobs = new Map<JobId, string>()
    for (const { attempt, places } of this.#sessions.values()) {
      const [place] = places.values()
      if (attempt && place) jobs.set(attempt.job, place.room)
    }
    return jobs
  }

  holds(name: SessionId, place: HeldPlace, attempt: LockingAttempt | null): void {
    const session = this.#sessions.get(name) ?? this.#begin(name, attempt)
    session.places.set(nameOf(place), place)
  }

  freed(name: SessionId, place: Place): void {
    const places = this.#sessions.get(name)?.places
    places?.delete(nameOf(place))
    if (places?.size === 0) this.#forget(name)
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
  async lost(name: SessionId): Promise<void> {
    const places = this.#sessions.get(name)?.places
    this.#forget(name)
    for (const place of places?.values() ?? []) await this.#end(name, place, lockGraceMs)
  }

  /**
   * Nobody can refresh what an attempt held that is over, so there is no grace to wait for. What could not be freed, because
   * the store was out, stays known for the next try.
   */
  async over(token: AttemptToken): Promise<void> {
    const name = attemptSessionName(token)
    for (const place of [...(this.#sessions.get(name)?.places.values() ?? [])]) {
      await this.#end(name, place, 0)
      this.freed(name, place)
    }
  }

  async #end(name: SessionId, { room, target }: Place, graceMs: number): Promise<void> {
    const lock = await changeLock(this.#store, room, target, (one, now) =>
      expireLock(sessionLost(one, name, now, graceMs), now),
    )
    if (isRefusal(lock)) throw new Error(lock.message)
  }

  #begin(name: SessionId, attempt: LockingAttempt | null): Session {
    const session: Session = { attempt, places: new Map(), speaker: null }
    this.#sessions.set(name, session)
    if (attempt) this.#tokensOf.set(attempt.job, [...this.tokensOf(attempt.job), attempt.token])
    return session
  }

  #forget(name: SessionId): void {
    const attempt = this.#sessions.get(name)?.attempt
    this.#sessions.delete(name)
    if (!attempt) return
    const left = this.tokensOf(attempt.job).filter((token) => token !== attempt.token)
    if (left.length === 0) this.#tokensOf.delete(attempt.job)
    else this.#tokensOf.set(attempt.job, left)
  }
}

const noTokens: readonly AttemptToken[] = []

function nameOf({ room, target }: Place): string {
  return `${room}/${target}`
}
