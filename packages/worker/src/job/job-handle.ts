// The job as its handler sees it. Everything is made when it is asked for, because most short jobs ask for little, and
// made so that it can be taken apart: `run({ data, progress, signal })`.

import type { AssignedJob, AttemptRef } from '@millrace/protocol'
import { openLock } from '../lock/job-lock.ts'
import type { LockDesk } from '../lock/lock-desk.ts'
import type { Attempt } from './attempt.ts'
import type { Job, OfferedJob } from './job.ts'

/** Where what a job says and asks for goes. */
export interface Voice extends LockDesk {
  progress(ref: AttemptRef, fraction: number, message?: string): void
  log(ref: AttemptRef, text: string): void
}

export function offeredJob({ id, room, data, submitter, charged }: AssignedJob): OfferedJob {
  return { id, room, data, submitter, attempt: charged + 1 }
}

export class JobHandle implements Job {
  readonly id: string
  readonly room: string
  readonly data: unknown
  readonly submitter: string
  readonly attempt: number
  readonly #of: Attempt
  readonly #voice: Voice

  constructor(of: Attempt, voice: Voice) {
    const { id, room, data, submitter, charged } = of.assigned
    this.id = id
    this.room = room
    this.data = data
    this.submitter = submitter
    this.attempt = charged + 1
    this.#of = of
    this.#voice = voice
  }

  get signal(): AbortSignal {
    return this.#of.signal
  }

  get progress(): Job['progress'] {
    return (fraction, message) => {
      // NaN and the infinities are not JSON; a handler that divides by zero is not worth a failed job.
      if (this.#of.isMute || !Number.isFinite(fraction)) return
      this.#voice.progress(this.#of.ref, Math.min(1, Math.max(0, fraction)), message)
    }
  }

  get log(): Job['log'] {
    return (line) => {
      if (!this.#of.isMute) this.#voice.log(this.#of.ref, String(line))
    }
  }

  get lock(): Job['lock'] {
    return (target, options) => openLock(this.#of, this.#voice, target, options)
  }
}
