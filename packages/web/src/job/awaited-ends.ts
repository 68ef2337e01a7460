// The jobs whose end somebody in this tab waits for. Their rooms are watched until the last of them has ended, whatever page
// is shown; after a gap the server is asked, and a reload of the page forgets none.

import { isEnded, type JobPatch, type JobRow } from './job-row.ts'

export interface Awaited {
  readonly room: string
  readonly extension: string
}

type Status = JobRow['status']

export interface AwaitedParts {
  /** Null when there is nobody of that id any more. */
  readonly statusOf: (room: string, id: string) => Promise<Status | null>
  readonly tell: (id: string, job: Awaited, status: Status) => void
  readonly kept: { readonly read: () => string | null; readonly write: (text: string) => void }
}

export type WatchRoom = (room: string) => () => void

/** A quick job may have ended before the answer to its submit is here. */
const rememberedEnds = 200
/** Whoever waits for more has scripts for it. */
const awaitedAtMost = 100

export class AwaitedEnds {
  readonly #parts: AwaitedParts
  readonly #jobs: Map<string, Awaited>
  readonly #endedLately = new Map<string, Status>()
  readonly #watching = new Map<string, () => void>()
  #watch: WatchRoom | null = null

  constructor(parts: AwaitedParts) {
    this.#parts = parts
    this.#jobs = new Map(readJobs(parts.kept.read()))
  }

  expect(id: string, job: Awaited): void {
    const status = this.#endedLately.get(id)
    if (status !== undefined) {
      this.#parts.tell(id, job, status)
      return
    }
    this.#jobs.set(id, job)
    forgetOldest(this.#jobs, awaitedAtMost)
    this.#changed()
  }

  hear(patches: readonly Pick<JobPatch, 'id' | 'status'>[]): void {
    for (const { id, status } of patches) {
      if (!isEnded(status)) continue
      this.#endedLately.set(id, status)
      forgetOldest(this.#endedLately, rememberedEnds)
      this.#ended(id, status)
    }
  }

  /** By a connection that has just been opened; null when there is none. */
  watchWith(watch: WatchRoom | null): void {
    for (const release of this.#watching.values()) release()
    this.#watching.clear()
    this.#watch = watch
    this.#changed()
  }

  /** Events of the room were not heard, and an end may be among them. */
  async missed(room: string): Promise<void> {
    const ids = [...this.#jobs].filter(([, job]) => job.room === room).map(([id]) => id)
    await Promise.all(
      ids.map(async (id) => {
        const status = await this.#parts.statusOf(room, id).catch(() => undefined)
        if (status === null) this.#drop(id)
        else if (status !== undefined && isEnded(status)) this.#ended(id, status)
      }),
    )
  }

  /** Whoever signed in now is somebody else. */
  forget(): void {
    this.#jobs.clear()
    this.#changed()
  }

  #ended(id: string, status: Status): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#drop(id)
    this.#parts.tell(id, job, status)
  }

  #drop(id: string): void {
    if (this.#jobs.delete(id)) this.#changed()
  }

  #changed(): void {
    this.#parts.kept.write(JSON.stringify([...this.#jobs]))
    const rooms = new Set([...this.#jobs.values()].map(({ room }) => room))
    for (const [room, release] of this.#watching) {
      if (rooms.has(room)) continue
      this.#watching.delete(room)
      release()
    }
    for (const room of rooms) {
      if (this.#watch && !this.#watching.has(room)) this.#watching.set(room, this.#watch(room))
    }
  }
}

function readJobs(text: string | null): readonly (readonly [string, Awaited])[] {
  try {
    return JSON.parse(text ?? '[]') as [string, Awaited][]
  } catch {
    return []
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
