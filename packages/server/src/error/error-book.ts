// Counts the errors that this replica writes, by room and fingerprint. What it hands out goes into the commit of the
// failure itself, so it survives whatever the failure survives and costs no call of its own.

import { errorKind, errorSeen, type Job } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { Put, RecordKey } from '../ports/store.ts'
import { type ErrorTally, errorKey, putError } from './error-record.ts'

interface Group {
  readonly key: RecordKey
  tally: ErrorTally
}

export interface NotedErrors {
  readonly put: readonly Put[]
  readonly remove: readonly RecordKey[]
  /** The change was not committed: nothing was seen after all. */
  takeBack(): void
}

export interface ChangedJob {
  readonly before: { readonly job: Job }
  readonly job: Job
}

/** A worker that never says the same twice fills a room's groups; the one that was seen longest ago makes way. */
const groupsPerRoom = 50
const messageLimit = 500

export class ErrorBook {
  /** Least recently seen first, rooms and groups alike. */
  readonly #rooms = new Map<string, Map<string, Group>>()
  readonly #roomsAtMost: number

  constructor(roomsAtMost = 200) {
    this.#roomsAtMost = roomsAtMost
  }

  /** Null where nothing failed, which is what nearly every change is. */
  note(room: string, changed: readonly ChangedJob[], now: number): NotedErrors | null {
    let noted: Noting | null = null
    for (const { before, job } of changed) {
      const error = errorSeen(before.job, job)
      if (error === null) continue
      noted ??= new Noting(this.#groupsOf(room))
      const { scope, category, extension, id } = job.submission
      const kind = errorKind(job.submission, error)
      const message = error.message.slice(0, messageLimit)
      const name = error.name ?? null
      const at = job.endedAt ?? job.ended.at(-1)?.endedAt ?? now
      noted.add({
        ...kind,
        scope,
        category,
        extension,
        name,
        count: 1,
        firstAt: at,
        lastAt: at,
        job: id,
        message,
      })
    }
    return noted
  }

  #groupsOf(room: string): Map<string, Group> {
    const groups = this.#rooms.get(room) ?? new Map<string, Group>()
    this.#rooms.delete(room)
    this.#rooms.set(room, groups)
    // Its records stay and are added up with what is counted anew.
    const [oldest] = this.#rooms.size > this.#roomsAtMost ? this.#rooms.keys() : []
    if (oldest !== undefined) this.#rooms.delete(oldest)
    return groups
  }
}

class Noting implements NotedErrors {
  readonly #groups: Map<string, Group>
  readonly #added = new Map<Group, number>()
  readonly remove: RecordKey[] = []

  constructor(groups: Map<string, Group>) {
    this.#groups = groups
  }

  get put(): readonly Put[] {
    return [...this.#added.keys()].map(({ key, tally }) => putError(key, tally))
  }

  add(seen: ErrorTally): void {
    const { fingerprint, lastAt, job, message } = seen
    const known = this.#groups.get(fingerprint)
    const group = known ?? { key: errorKey(fingerprint, newId(lastAt)), tally: { ...seen, count: 0 } }
    group.tally = { ...group.tally, count: group.tally.count + 1, lastAt, job, message }
    this.#added.set(group, (this.#added.get(group) ?? 0) + 1)
    this.#groups.delete(fingerprint)
    this.#groups.set(fingerprint, group)
    if (!known && this.#groups.size > groupsPerRoom) this.#forgetOldest()
  }

  takeBack(): void {
    for (const [group, count] of this.#added) {
      const left = group.tally.count - count
      group.tally = { ...group.tally, count: left }
      if (left === 0) this.#groups.delete(group.tally.fingerprint)
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#groups.values()
    if (!oldest) return
    this.#groups.delete(oldest.tally.fingerprint)
    // One that is only just being written is not there to be removed.
    if (!this.#added.delete(oldest)) this.remove.push(oldest.key)
  }
}
