// One try at a job on this worker, from its assignment until the server has acknowledged its end.

import type { AssignedJob, AttemptRef } from '@millrace/protocol'
import type { Extension } from '../extension/extension.ts'
import type { Report } from '../report/report.ts'
import type { JobAborted } from '../worker-error.ts'

export class Attempt {
  readonly ref: AttemptRef
  readonly assigned: AssignedJob
  readonly extension: Extension
  readonly slots: number
  /** The instant at which something has to be done about it, by the monotonic clock; what, depends on its state. */
  dueAt: number
  /** When its handler was called, by the same clock. */
  startedAt = 0
  /** The handler has returned, thrown or been killed, and its slots are free. */
  ended = false
  /** When that was, by the same clock. */
  endedAt = 0
  /** What the server was told of its end, and has not yet acknowledged. */
  lastWord: Report | null = null
  /** The line broke after that was said: the server may have heard it. */
  isUnsure = false
  aborted: JobAborted | null = null
  /** Made when somebody asks for it: most short jobs never do. */
  #controller: AbortController | null = null

  constructor(assigned: AssignedJob, extension: Extension, slots: number, dueAt: number) {
    this.ref = { room: assigned.room, job: assigned.id, token: assigned.token }
    this.assigned = assigned
    this.extension = extension
    this.slots = slots
    this.dueAt = dueAt
  }

  /** Nobody listens to it any more. */
  get isMute(): boolean {
    return this.ended || this.aborted?.why === 'superseded'
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.aborted)
    }
    return this.#controller.signal
  }

  /** The first reason stands. */
  abort(reason: JobAborted): void {
    if (this.aborted) return
    this.aborted = reason
    this.#controller?.abort(reason)
  }
}
