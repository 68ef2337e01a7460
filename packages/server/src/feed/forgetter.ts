// Keeps this replica's memories true to the log: what somebody changed is forgotten, and jobs that another replica brought
// or gave back are looked for.

import type { Surroundings } from '../placement/take-snapshot.ts'
import type { ServerParts } from '../server-parts.ts'
import type { FeedBatch, FeedListener } from './feed-relay.ts'

export interface ForgetterOptions {
  /** Whether other replicas may write to the same store. */
  readonly shared: boolean
  readonly onFault: (fault: unknown) => void
  readonly onLag: (lagMs: number) => void
}

/** Rooms are looked at together: a busy one would otherwise be asked for with every batch. */
const gatherMs = 20

const pendingEvent = '{"type":"job:state_changed","status":"pending"'

export class Forgetter implements FeedListener {
  readonly #parts: ServerParts
  readonly #around: Surroundings
  readonly #options: ForgetterOptions
  readonly #roomsToLookAt = new Set<string>()

  constructor(parts: ServerParts, around: Surroundings, options: ForgetterOptions) {
    this.#parts = parts
    this.#around = around
    this.#options = options
  }

  onBatch({ partition, at, events }: FeedBatch): void {
    this.#options.onLag(this.#parts.store.now() - at)
    const { shared } = this.#options
    let isWaiting = false
    events.forEach(({ subject, event }, n) => {
      if (!subject.startsWith('job/')) this.#forget(partition, subject)
      // What is told of again in the same change was assigned by its submit, and waits for nobody.
      else if (shared && !isWaiting && event.startsWith(pendingEvent))
        isWaiting = events[n + 1]?.subject !== subject
    })
    if (isWaiting) this.#lookAt(partition)
  }

  onReset(): void {
    const { users, credentials, rooms, known, workers, active } = this.#parts
    for (const memory of [users, credentials, rooms, known, workers, active]) memory.forgetAll()
    this.#around.book.forgetAll()
    this.#around.waiting.look().then(this.#parts.wake, this.#options.onFault)
  }

  #forget(partition: string, key: string): void {
    const { users, credentials, rooms, known, workers, wake } = this.#parts
    const kind = key.slice(0, key.indexOf('/'))
    if (kind === 'room') rooms.forget(partition, key)
    else if (kind === 'user') users.forget(partition, key)
    else if (kind === 'revoked') credentials.forget(partition, key)
    else if (kind === 'worker') workers.forget(partition, key)
    else if (kind === 'extension') {
      known.forget(partition, key)
      this.#around.book.forgetAll()
    }
    wake()
  }

  #lookAt(room: string): void {
    const isGathering = this.#roomsToLookAt.size > 0
    this.#roomsToLookAt.add(room)
    if (isGathering) return
    setTimeout(() => {
      const rooms = [...this.#roomsToLookAt]
      this.#roomsToLookAt.clear()
      Promise.all(rooms.map((one) => this.#around.waiting.look(one))).then(
        this.#parts.wake,
        this.#options.onFault,
      )
    }, gatherMs)
  }
}
