// The server's end of one worker's connection: what the socket's handlers do with what a worker says, without the socket.

import type { Job, Vitals, WorkerId } from '@millrace/domain'
import {
  type AttemptName,
  type AttemptReport,
  type Channel,
  type Reported,
  registerWorker,
  reportAttempts,
  type ServerParts,
  type StopOrder,
  StoreUnavailable,
  workerAway,
} from '@millrace/server'
import type { Link } from './link.ts'
import type { PlantedBug } from './planted-bug.ts'
import { everybody, extensions } from './world.ts'

/** What a worker hears of the server without asking. */
export interface WorkerEars {
  assigned(jobs: readonly Job[]): void
  stop(orders: readonly StopOrder[]): void
}

export type Answer<Value> = { readonly value: Value } | { readonly refused: string }

export const unavailable = 'store_unavailable'

export interface Registered {
  readonly dropped: readonly AttemptName[]
}

export interface DoorParts {
  readonly parts: ServerParts
  readonly link: Link
  readonly ears: WorkerEars
  readonly bug: PlantedBug
  readonly onFault: (fault: unknown) => void
}

export class ReplicaDoor {
  readonly #parts: DoorParts
  readonly #channel: Channel
  #worker: WorkerId | null = null

  constructor(parts: DoorParts) {
    this.#parts = parts
    this.#channel = channelOf(parts.link, parts.ears)
    parts.link.onClosed('server', () => void this.#away().catch(parts.onFault))
  }

  register(
    id: string,
    slots: number,
    attempts: readonly AttemptName[],
    answer: (answer: Answer<Registered>) => void,
  ): void {
    this.#guard(answer, async () => {
      const arrived = await registerWorker(this.#parts.parts, everybody, {
        enrolment: { id, kind: 'client', offers: { slots } },
        attempts,
        extensions: [...extensions],
        channel: this.#channel,
        channelKind: 'push',
      })
      if ('refused' in arrived) return arrived
      this.#worker = arrived.worker
      // It may have gone while it was being registered; then nobody else will say so.
      if (!this.#parts.link.isOpen('server')) await this.#away()
      return { value: { dropped: arrived.dropped } }
    })
  }

  report(reports: readonly AttemptReport[], answer: (answer: Answer<readonly Reported[]>) => void): void {
    const { parts, bug } = this.#parts
    this.#guard(answer, async () => {
      const { report = async (_store, one) => one } = bug
      const told = await Promise.all(reports.map((one) => report(parts.store, one)))
      return { value: await reportAttempts(parts.reports, everybody.user, told) }
    })
  }

  async #away(): Promise<void> {
    if (this.#worker) await workerAway(this.#parts.parts, this.#worker, this.#channel)
  }

  #guard<Value>(answer: (answer: Answer<Value>) => void, work: () => Promise<Answer<Value>>): void {
    work().then(
      (done) => this.#parts.link.send('worker', () => answer(done)),
      (fault: unknown) => {
        if (!(fault instanceof StoreUnavailable)) this.#parts.onFault(fault)
        this.#parts.link.send('worker', () => answer({ refused: unavailable }))
      },
    )
  }
}

function channelOf(link: Link, ears: WorkerEars): Channel {
  return {
    ahead: 2,
    ready: () => (link.isOpen('server') ? Number.POSITIVE_INFINITY : 0),
    assign: (jobs) => {
      link.send('worker', () => ears.assigned(jobs))
      return []
    },
    stop: (orders) => link.send('worker', () => ears.stop(orders)),
    ask: (answered: (vitals: Vitals | null) => void) =>
      link.send('worker', () => link.send('server', () => answered(null))),
    close: () => link.close('server'),
  }
}
