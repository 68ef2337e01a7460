// What other replicas decide about workers here and the attempts they hold: a lost lease, a deadline, a cancel, a report by
// REST. An attempt that ended elsewhere gives its slot back here, and whoever still runs it is told to stop.

import type { JobId, RoomName, WorkerId } from '@millrace/domain'
import { jobKey, jobOfRecord } from '../job/job-record.ts'
import type { ServerParts } from '../server-parts.ts'
import { workerKey, workerOfRecord } from '../worker/worker-record.ts'
import type { FeedBatch, FeedListener } from './feed-relay.ts'

type Parts = Pick<ServerParts, 'store' | 'roster' | 'active' | 'reports' | 'wake'>

export class Elsewhere implements FeedListener {
  readonly #parts: Parts
  readonly #onFault: (fault: unknown) => void

  constructor(parts: Parts, onFault: (fault: unknown) => void) {
    this.#parts = parts
    this.#onFault = onFault
  }

  onBatch({ partition, events }: FeedBatch): void {
    for (const { subject, event } of events) {
      if (subject.startsWith('worker/')) {
        lookAtWorker(this.#parts, subject.slice('worker/'.length) as WorkerId).catch(this.#onFault)
      }
      if (!subject.startsWith('job/')) continue
      const id = subject.slice('job/'.length) as JobId
      if (this.#parts.roster.tokensOf(id).length === 0 || !mayEnd(event)) continue
      lookAt(this.#parts, partition, id).catch(this.#onFault)
    }
  }

  /** Nobody knows what was missed: everything that is held here is looked at again. */
  onReset(): void {
    for (const { running } of this.#parts.roster.all()) {
      for (const { room, job } of running.values()) lookAt(this.#parts, room, job).catch(this.#onFault)
    }
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
    roster.update(id, record, found.version)
    wake()
  }
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
  if (!job?.attempt) active.forget(room, id)
}
