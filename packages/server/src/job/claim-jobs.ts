// Takes jobs from the head of one queue for workers of this replica. The attempts are prepared here; the store only
// attaches them, within the room's limit.

import { type Attempt, type AttemptToken, type Job, prepareAttempt, type WorkerId } from '@millrace/domain'
import { newId } from '../new-id.ts'
import type { PreparedAttempt, Store } from '../ports/store.ts'
import type { ActiveJobs } from './active-jobs.ts'
import { jobChanged } from './job-events.ts'
import { runningCounter, runningOfQueue } from './job-places.ts'
import { jobOfRecord, jobWith } from './job-record.ts'
import { encodeAttempt } from './job-text.ts'

export interface ClaimOrder {
  readonly room: string
  readonly queue: string
  /** One for each job wanted; a worker with several free slots is named several times. */
  readonly workers: readonly WorkerId[]
  readonly acceptMs: number
  /** At most this many jobs of the room may be assigned or running; null for no limit. */
  readonly roomLimit: number | null
  /** The same for the queue's extension. */
  readonly queueLimit: number | null
  /** The token of the first attempt, where it is known beforehand. */
  readonly probe?: AttemptToken
}

export async function claimJobs(
  store: Store,
  active: ActiveJobs,
  order: ClaimOrder,
): Promise<readonly Job[]> {
  const now = store.now()
  const prepared = prepareAll(order, now)

  const { records } = await store.claim({
    id: newId(now),
    partition: order.room,
    queue: order.queue,
    attempts: prepared.map(({ texts }) => texts),
    move: { from: 'pending', to: 'active' },
    limits: limitsOf(order),
    add: { [runningCounter]: 1, [runningOfQueue(order.queue)]: 1 },
  })

  return records.map((record, at) => {
    // A claim that was sent again leaves out what moved on meanwhile: then a place says nothing.
    const own = prepared[at]
    const job = own?.texts.attempt === record.attempt ? jobWith(record, own.attempt) : jobOfRecord(record)
    active.remember({ job, version: record.version })
    return job
  })
}

interface Prepared {
  readonly attempt: Attempt
  readonly texts: PreparedAttempt
}

function prepareAll({ workers, acceptMs, probe }: ClaimOrder, now: number): Prepared[] {
  // A worker with many free slots is named many times, and told of in the same words each time.
  const events = new Map<WorkerId, string>()
  return workers.map((worker, at) => {
    const token = (at === 0 && probe) || (newId(now) as AttemptToken)
    const attempt = prepareAttempt({ token, worker, now, acceptMs })
    const event = events.get(worker) ?? JSON.stringify({ type: jobChanged, status: 'assigned', worker })
    events.set(worker, event)
    return { attempt, texts: { attempt: encodeAttempt(attempt), dueAt: attempt.acceptBy, event } }
  })
}

function limitsOf({ roomLimit, queueLimit, queue }: ClaimOrder): { counter: string; max: number }[] {
  return [
    ...(roomLimit === null ? [] : [{ counter: runningCounter, max: roomLimit }]),
    ...(queueLimit === null ? [] : [{ counter: runningOfQueue(queue), max: queueLimit }]),
  ]
}
