// A job's life through the server's own use-cases, in batches, as benches need it.

import type { Job, JobId, RoomName, SchemaHash, Submission, UserName, WorkerId } from '@millrace/domain'
import { defaultPolicy, queueOf } from '@millrace/domain'
import { ActiveJobs, claimJobs, newId, reportJobs, type Store, submitJobs } from '@millrace/server'

const noop = {
  scope: 'room',
  category: 'modifiers',
  extension: 'Noop',
  schemaHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' as SchemaHash,
} as const

function submission(room: string, now: number, data: unknown): Submission {
  return {
    ...noop,
    id: newId(now) as JobId,
    room: room as RoomName,
    data,
    submitter: 'alice' as UserName,
    priority: 5,
    createdAt: now,
    policy: defaultPolicy,
  }
}

const active = new ActiveJobs()
const worker = 'worker-1' as WorkerId

export async function submitBatch(store: Store, room: string, count: number): Promise<void> {
  const now = store.now()
  await submitJobs(
    store,
    room,
    Array.from({ length: count }, (_, n) => submission(room, now, { n })),
  )
}

export function claimBatch(store: Store, room: string, count: number): Promise<readonly Job[]> {
  const workers = Array.from({ length: count }, () => worker)
  const limits = { roomLimit: null, queueLimit: null }
  return claimJobs(store, active, {
    room,
    queue: queueOf(noop),
    workers,
    acceptMs: defaultPolicy.acceptMs,
    ...limits,
  })
}

export async function completeBatch(store: Store, room: string, jobs: readonly Job[]): Promise<void> {
  const reports = jobs.flatMap(({ submission: { id }, attempt }) =>
    attempt ? [{ job: id, events: lastEvents(attempt.token) }] : [],
  )
  const answers = await reportJobs(store, active, room, reports, () => 0)
  const refused = answers.find((answer) => 'refused' in answer)
  if (refused) throw new Error(`refused: ${JSON.stringify(refused)}`)
}

type Token = NonNullable<Job['attempt']>['token']

function lastEvents(
  token: Token,
): readonly [{ type: 'start'; token: Token }, { type: 'complete'; token: Token }] {
  return [
    { type: 'start', token },
    { type: 'complete', token },
  ]
}
