// One lock that an attempt holds: refreshed at half of its time to live and at once after a reconnect, and given up for
// lost as soon as nobody can say that it is still held.
//
//   acquiring → held ──release──→ releasing → over
//                 └── refused, or not refreshed in time ──→ lost

import type { AttemptRef } from '@millrace/protocol'
import { LockLost } from '../worker-error.ts'
import type { LockRequest } from './lock-desk.ts'
import type { LockLine } from './lock-line.ts'

/** The server's own, for a session whose connection is lost. */
const graceMs = 10_000

export class KeptLock {
  /** How often the handler has asked for it and not let go; the server is asked once. */
  count = 0
  fence = 0
  readonly onLost: Set<(lost: LockLost) => void> = new Set()
  /** Rejects when the server refuses the lock. */
  readonly acquired: Promise<void>
  readonly #line: LockLine
  readonly #place: {
    readonly room: string
    readonly target: string
    readonly attempt: { readonly job: string; readonly token: string }
  }
  readonly #ttlMs: number
  /** Aborted when the lock is over; whatever is still being asked about it then is given up. */
  readonly #over = new AbortController()
  /** Its time to live is over then, by the monotonic clock. */
  #untilAt = 0
  #isReleasing = false
  #isRefreshing = false
  #refreshTimer: NodeJS.Timeout | undefined
  #deadlineTimer: NodeJS.Timeout | undefined

  constructor(line: LockLine, { room, job, token }: AttemptRef, { target, ttlMs, message }: LockRequest) {
    this.#line = line
    this.#place = { room, target, attempt: { job, token } }
    this.#ttlMs = ttlMs
    this.acquired = this.#acquire(message)
  }

  /** Resolves when the server has heard it, or cannot be told any more because the lock is over. */
  async release(): Promise<void> {
    if (this.#over.signal.aborted) return
    this.#isReleasing = true
    const release = { event: 'lock:release', payload: { ...this.#place, fence: this.fence } } as const
    try {
      // An acquire whose answer was lost was asked twice and counts twice.
      while ((await this.#line.ask(release, this.#over.signal)).view.holder !== null);
    } catch {
      // Refused: somebody else's by now, or the attempt has ended and its locks with it. Or its time has run out.
    }
    this.#end()
  }

  /** The connection is new: the server shortens what was held over the old one. */
  refreshNow(): void {
    if (this.fence > 0) void this.#refresh()
  }

  /** The server learns of it about now, and gives the session no longer than its grace period to come back. */
  connectionLost(): void {
    const leftMs = Math.min(graceMs, this.#untilAt - performance.now())
    if (this.fence > 0) this.#loseIn(leftMs)
  }

  lose(why: string, cause?: unknown): void {
    if (this.#over.signal.aborted) return
    const { target } = this.#place
    const lost = new LockLost(`The lock on ${target} was lost: ${why}`, { cause })
    const listeners = this.#isReleasing ? [] : [...this.onLost]
    this.#end(lost)
    for (const listener of listeners) listener(lost)
  }

  async say(message: string | null): Promise<void> {
    const { fence } = this
    const payload = { ...this.#place, fence, message }
    await this.#line.ask({ event: 'lock:message', payload }, this.#over.signal)
  }

  async #acquire(message: string | undefined): Promise<void> {
    const payload = { ...this.#place, ttlMs: this.#ttlMs, ...(message !== undefined && { message }) }
    const { view, askedAt } = await this.#line.ask({ event: 'lock:acquire', payload }, this.#over.signal)
    this.fence = view.fence
    this.#heldFrom(askedAt)
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing || this.#isReleasing || this.#over.signal.aborted) return
    this.#isRefreshing = true
    const payload = { ...this.#place, fence: this.fence, ttlMs: this.#ttlMs }
    try {
      const { askedAt } = await this.#line.ask({ event: 'lock:refresh', payload }, this.#over.signal)
      this.#heldFrom(askedAt)
    } catch (error) {
      this.lose(error instanceof Error ? error.message : String(error), error)
    } finally {
      this.#isRefreshing = false
    }
  }

  #heldFrom(askedAt: number): void {
    if (this.#over.signal.aborted) return
    this.#untilAt = askedAt + this.#ttlMs
    const leftMs = this.#untilAt - performance.now()
    clearTimeout(this.#refreshTimer)
    this.#refreshTimer = setTimeout(() => void this.#refresh(), leftMs - this.#ttlMs / 2).unref()
    this.#loseIn(leftMs)
  }

  #loseIn(ms: number): void {
    if (this.#over.signal.aborted) return
    clearTimeout(this.#deadlineTimer)
    this.#deadlineTimer = setTimeout(() => this.lose('it could not be refreshed in time.'), ms).unref()
  }

  #end(reason: LockLost = new LockLost('The lock was released.')): void {
    clearTimeout(this.#refreshTimer)
    clearTimeout(this.#deadlineTimer)
    this.onLost.clear()
    this.#over.abort(reason)
  }
}
