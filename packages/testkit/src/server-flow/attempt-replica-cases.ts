// Attempts that are given by one replica, and locked for or ended at the other.

import type { LockView } from '@millrace/protocol'
import { tell } from './checked-client.ts'
import type { FlowScene } from './flow-scene.ts'
import type { ReplicaCase } from './replica-cases.ts'
import type { RoomEar } from './room-ear.ts'
import { refOf } from './worker/raw-worker.ts'

type Ref = ReturnType<typeof refOf>

/** Nobody would wait for it to pass. */
const ttlMs = 300_000

function report({ admin }: FlowScene, { room, job, token }: Ref, body: object): Promise<unknown> {
  return admin.expect(200, 'PUT', `/api/rooms/${room}/jobs/${job}/status`, { token, ...body })
}

async function lockFreed(ear: RoomEar): Promise<void> {
  await ear.heard.next(
    ({ event, payload }) =>
      event === 'lock:changed' && (payload['events'] as LockView[]).some(({ holder }) => holder === null),
  )
}

export const attemptReplicaCases: readonly ReplicaCase[] = [
  {
    title: '[M171] what an attempt locked through the other replica is free when its own ends it',
    run: async (here, there) => {
      const room = await here.newRoom()
      const ear = await here.ear(room)
      const worker = await there.worker([{ room }])
      await here.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      const attempt = { job: job.id, token: job.token }
      await here.admin.expect(200, 'POST', `/api/rooms/${room}/locks/frames/acquire`, { attempt, ttlMs })
      await worker.completed(job)
      await lockFreed(ear)
    },
  },
  {
    title: '[M171] what an attempt locked through its own replica is free when the other ends it',
    run: async (here, there) => {
      const room = await here.newRoom()
      const ear = await here.ear(room)
      const worker = await there.worker([{ room }])
      await here.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      const attempt = { job: job.id, token: job.token }
      await tell(worker.socket, 'lock:acquire', { room, target: 'frames', attempt, ttlMs })
      await report(here, refOf(job), { status: 'completed', result: {} })
      await lockFreed(ear)
    },
  },
]
