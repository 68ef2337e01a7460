// What other replicas decide about workers here and the attempts they hold: a lost lease, a deadline, a cancel, a report by
// REST. An attempt that ended elsewhere gives back here its slot and what it locked, and whoever still runs it is told to
// stop.

import type { AttemptToken, JobId, RoomName, WorkerId } from '@millrace/domain'
import { jobChanged } from '../job/job-events.ts'
import { jobKey, jobOfRecord } from '../job/job-record.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Stationed } from '../worker/roster.ts'
import { type WorkerRecord, workerKey, workerOfRecord } from '../worker/worker-record.ts'
import type { FeedBatch, FeedListener } from './feed-relay.ts'
import { Looks } from './looks.ts'

/** Looked at by its letters: every event of every job comes by here. */
const changedStart = `{"type":"${jobChanged}","status":"`

type Parts = Pick<ServerParts, 'store' | 'roster' | 'locks' | 'active' | 'reports' | 'wake'>

export class Elsewhere implements FeedListener {
  readonly #parts: Parts
  readonly #looks: Looks

  constructor(parts: Parts, onFault: (fault: unknown) => void) {
    this.#parts = parts
    this.#looks = new Looks(onFault)
  }

  onBatch({ partition, events }: FeedBatch): void {
    for (const { subject, event } of events) {
      if (subject.startsWith('worker/')) {
        const id = subject.slice('worker/'.length) as WorkerId
        this.#looks.try(subject, () => lookAtWorker(this.#parts, id))
      }
      if (!subject.startsWith('job/') || !mayEnd(event)) continue
      const id = subject.slice('job/'.length) as JobId
      const isHeld = tokensOf(this.#parts, id).length > 0
      if (!(isHeld || this.#parts.active.get(partition, id))) continue
      if (isHeld) this.#looks.try(subject, () => lookAt(this.#parts, partition, id))
      // Its worker has left this replica, and nobody here will report about it any more.
      else this.#parts.active.forget(partition, id)
    }
  }

  /** Nobody knows what was missed: everything that is held here is looked at again. */
  onReset(): void {
    const { roster, locks } = this.#parts
    const rooms = new Map(locks.held.jobs())
    for (const { record, running } of roster.all()) {
      const { id } = record.worker
      this.#looks.try(workerKey(id), () => lookAtWorker(this.#parts, id))
      for (const { room, job } of running.values()) rooms.set(job, room)
    }
    for (const [job, room] of rooms) this.#looks.try(jobKey(job), () => lookAt(this.#parts, room, job))
  }
}

/** What this replica decided itself has left the roster by the time it is heard of, except a submit that was quick. */
function mayEnd(event: string): boolean {
  if (!event.startsWith(changedStart)) return false
  switch (event[changedStart.length]) {
    case 'a': // assigned
    case 'r': // running
      return event.includes('"cancel":"requested"')
    case 'p': // pending
      return !event.includes('"submitter":')
    default:
      return true
  }
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

/** The attempts of a job that have something here: a slot, or a lock that was taken through this replica. */
function tokensOf({ roster, locks }: Parts, job: JobId): readonly AttemptToken[] {
  const [running, locking] = [roster.tokensOf(job), locks.held.tokensOf(job)]
  return locking.length === 0 ? running : [...new Set([...running, ...locking])]
}

/** After what workers here are just reporting about it: that ends attempts in its own way. */
function lookAt(parts: Parts, room: string, id: JobId): Promise<void> {
  return parts.reports.turns.take(tokensOf(parts, id), () => look(parts, room, id))
}

async function look({ store, roster, locks, active, wake }: Parts, room: string, id: JobId): Promise<void> {
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
  for (const token of locks.held.tokensOf(id)) {
    if (job?.attempt?.token !== token) await locks.held.over(token)
  }
}
