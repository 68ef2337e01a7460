// Which locks were last held through this replica, by session: when a connection or an attempt ends, its locks are freed
// after the grace period. It is memory; what it forgets in a crash ends by its time to live.

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

export interface LockingAttempt {
  readonly job: JobId
  readonly token: AttemptToken
}

interface Holding {
  readonly attempt: LockingAttempt | null
  readonly places: Map<string, Place>
}

export function attemptSessionName(token: string): SessionId {
  return `attempt/${token}` as SessionId
}

export class HeldLocks {
  readonly #store: Store
  readonly #holdings = new Map<SessionId, Holding>()
  readonly #tokensOf = new Map<JobId, readonly AttemptToken[]>()

  constructor(store: Store) {
    this.#store = store
  }

  get any(): boolean {
    return this.#holdings.size > 0
  }

  has(session: SessionId): boolean {
    return this.#holdings.has(session)
  }

  /** The attempts of a job that hold something. */
  tokensOf(job: JobId): readonly AttemptToken[] {
    return this.#tokensOf.get(job) ?? noTokens
  }

  /** The jobs whose attempts hold something, each with its room. */
  jobs(): ReadonlyMap<JobId, string> {
    const jobs = new Map<JobId, string>()
    for (const { attempt, places } of this.#holdings.values()) {
      const [place] = places.values()
      if (attempt && place) jobs.set(attempt.job, place.room)
    }
    return jobs
  }

  holds(session: SessionId, room: string, target: string, attempt: LockingAttempt | null): void {
    const holding = this.#holdings.get(session) ?? this.#begin(session, attempt)
    holding.places.set(`${room}/${target}`, { room, target })
  }

  freed(session: SessionId, room: string, target: string): void {
    const holding = this.#holdings.get(session)
    holding?.places.delete(`${room}/${target}`)
    if (holding?.places.size === 0) this.#forget(session)
  }

  /** The session may come back within the grace period; refreshing then keeps what it holds. */
  async lost(session: SessionId): Promise<void> {
    const places = this.#holdings.get(session)?.places
    this.#forget(session)
    for (const place of places?.values() ?? []) await this.#end(session, place, lockGraceMs)
  }

  /**
   * Nobody can refresh what an attempt held that is over, so there is no grace to wait for. What could not be freed, because
   * the store was out, stays known for the next try.
   */
  async over(token: AttemptToken): Promise<void> {
    const session = attemptSessionName(token)
    for (const place of [...(this.#holdings.get(session)?.places.values() ?? [])]) {
      await this.#end(session, place, 0)
      this.freed(session, place.room, place.target)
    }
  }

  async #end(session: SessionId, { room, target }: Place, graceMs: number): Promise<void> {
    const lock = await changeLock(this.#store, room, target, (one, now) =>
      expireLock(sessionLost(one, session, now, graceMs), now),
    )
    if (isRefusal(lock)) throw new Error(lock.message)
  }

  #begin(session: SessionId, attempt: LockingAttempt | null): Holding {
    const holding: Holding = { attempt, places: new Map() }
    this.#holdings.set(session, holding)
    if (attempt) this.#tokensOf.set(attempt.job, [...this.tokensOf(attempt.job), attempt.token])
    return holding
  }

  #forget(session: SessionId): void {
    const attempt = this.#holdings.get(session)?.attempt
    this.#holdings.delete(session)
    if (!attempt) return
    const left = this.tokensOf(attempt.job).filter((token) => token !== attempt.token)
    if (left.length === 0) this.#tokensOf.delete(attempt.job)
    else this.#tokensOf.set(attempt.job, left)
  }
}

const noTokens: readonly AttemptToken[] = []
