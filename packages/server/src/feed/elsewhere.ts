// What other replicas decide about workers here and the attempts they hold: a lost lease, a deadline, a cancel, a report by
// REST. An attempt that ended elsewhere gives its slot back here, and whoever still runs it is told to stop.

import type { JobId, RoomName, WorkerId } from '@millrace/domain'
import { jobKey, jobOfRecord } from '../job/job-record.ts'
import { StoreUnavailable } from '../ports/store-unavailable.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Stationed } from '../worker/roster.ts'
import { type WorkerRecord, workerKey, workerOfRecord } from '../worker/worker-record.ts'
import type { FeedBatch, FeedListener } from './feed-relay.ts'

type Parts = Pick<ServerParts, 'store' | 'roster' | 'active' | 'reports' | 'wake'>

/** How long to leave a store alone that could not be reached. */
const againMs = 1_000

type Look = () => Promise<void>

export class Elsewhere implements FeedListener {
  readonly #parts: Parts
  readonly #onFault: (fault: unknown) => void
  /** By what they are about. An event is heard once: what could not be looked at then is looked at later. */
  readonly #toLookAt = new Map<string, Look>()

  constructor(parts: Parts, onFault: (fault: unknown) => void) {
    this.#parts = parts
    this.#onFault = onFault
  }

  onBatch({ partition, events }: FeedBatch): void {
    for (const { subject, event } of events) {
      if (subject.startsWith('worker/')) {
        const id = subject.slice('worker/'.length) as WorkerId
        this.#try(subject, () => lookAtWorker(this.#parts, id))
      }
      if (!subject.startsWith('job/')) continue
      const id = subject.slice('job/'.length) as JobId
      const isHeld = this.#parts.roster.tokensOf(id).length > 0
      if (!(isHeld || this.#parts.active.get(partition, id)) || !mayEnd(event)) continue
      if (isHeld) this.#try(subject, () => lookAt(this.#parts, partition, id))
      // Its worker has left this replica, and nobody here will report about it any more.
      else this.#parts.active.forget(partition, id)
    }
  }

  /** Nobody knows what was missed: everything that is held here is looked at again. */
  onReset(): void {
    for (const { record, running } of this.#parts.roster.all()) {
      const { id } = record.worker
      this.#try(workerKey(id), () => lookAtWorker(this.#parts, id))
      for (const { room, job } of running.values())
        this.#try(jobKey(job), () => lookAt(this.#parts, room, job))
    }
  }

  #try(subject: string, look: Look): void {
    look().catch((fault: unknown) => {
      this.#onFault(fault)
      if (!(fault instanceof StoreUnavailable)) return
      if (this.#toLookAt.size === 0) setTimeout(() => this.#tryAgain(), againMs).unref()
      this.#toLookAt.set(subject, look)
    })
  }

  #tryAgain(): void {
    const looks = [...this.#toLookAt]
    this.#toLookAt.clear()
    for (const [subject, look] of looks) this.#try(subject, look)
  }
}

/** What this replica decided itself has left the roster by the time it is heard of, except a submit that was quick. */
function mayEnd(event: string): boolean {
  if (event.includes('"submitter":')) return false
  return /"status":"(?:pending|completed|failed|cancelled)"|"cancel":"requested"/.test(event)
}

/**
 * Somebody drained it at another replica, or sent it away, or found its lease over: until it registers anew nothing that a
 * lost worker is given or says would count.
 */
async function lookAtWorker({ store, roster, wake }: Parts, id: WorkerId): Promise<void> {
  const stationed = roster.get(id)
  if (!stationed) return
  const [found] = await store.read('system', [workerKey(id)])
  const record = found ? workerOfRecord(found) : null
  if (!found || !record || record.worker.lease.presence === 'lost') {
    if (roster.get(id) === stationed) roster.leave(id)
  } else if (found.version > stationed.version) {
    if (isElsewhere(stationed, record)) roster.leave(id)
    else roster.update(id, record, found.version)
    wake()
  }
}

/** Its socket here is closed, and it has registered over another since: what it runs it runs there. */
function isElsewhere({ channel, record: { channel: kind } }: Stationed, { worker }: WorkerRecord): boolean {
  return kind === 'push' && channel.ready() === 0 && worker.lease.presence === 'connected'
}

/** After what workers here are just reporting about it: that ends attempts in its own way. */
function lookAt(parts: Parts, room: string, id: JobId): Promise<void> {
  return parts.reports.turns.take(parts.roster.tokensOf(id), () => look(parts, room, id))
}

async function look({ store, roster, active, wake }: Parts, room: string, id: JobId): Promise<void> {
  const [record] = await store.read(room, [jobKey(id)])
  const job = record ? jobOfRecord(record) : null
  for (const token of roster.tokensOf(id)) {
    if (job?.attempt?.token === token) {
      if (job.cancel) roster.stop({ room: room as RoomName, job: id, token, how: 'abort' })
      continue
    }
    roster.stop({ room: room as RoomName, job: id, token, how: 'kill' })
    if (roster.end(token)) wake()
  }
  if (roster.tokensOf(id).length === 0) active.forget(room, id)
}
