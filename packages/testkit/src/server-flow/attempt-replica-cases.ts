// Attempts that are given by one replica, and asked about, locked for or ended at the other.

import type { AssignedJob, LockView } from '@millrace/protocol'
import { expect } from 'vitest'
import { tell } from './checked-client.ts'
import type { FlowScene } from './flow-scene.ts'
import type { ReplicaCase } from './replica-cases.ts'
import type { RoomEar } from './room-ear.ts'
import { refOf, registrationOf } from './worker/raw-worker.ts'

type Ref = ReturnType<typeof refOf>

/** Nobody would wait for it to pass. */
const ttlMs = 300_000

/** The same worker at all of them, as when a balancer takes turns. */
export async function pullAt(room: string, ...scenes: readonly FlowScene[]): Promise<string> {
  const id = `puller-of-${room}`
  for (const { admin } of scenes)
    await admin.expect(200, 'POST', '/api/workers/register', registrationOf({ id, slots: 2 }, [{ room }]))
  return id
}

export async function pulled(scene: FlowScene, worker: string): Promise<Ref> {
  const { admin } = scene
  const job = await admin.expect<AssignedJob>(200, 'POST', '/api/jobs/next', { worker, waitMs: 25_000 })
  const ref = refOf(job)
  await report(scene, ref, { status: 'running' })
  return ref
}

export function report({ admin }: FlowScene, { room, job, token }: Ref, body: object): Promise<unknown> {
  return admin.expect(200, 'PUT', `/api/rooms/${room}/jobs/${job}/status`, { token, ...body })
}

async function droppedBy({ admin }: FlowScene, worker: string, ...running: readonly Ref[]) {
  const path = `/api/workers/${worker}/beat`
  return (await admin.expect<{ dropped: Ref[] }>(200, 'POST', path, { running, free: 1 })).dropped
}

async function lockFreed(ear: RoomEar): Promise<void> {
  await ear.heard.next(
    ({ event, payload }) =>
      event === 'lock:changed' && (payload['events'] as LockView[]).some(({ holder }) => holder === null),
  )
}

export const attemptReplicaCases: readonly ReplicaCase[] = [
  {
    title:
      '[M170] a pull worker that beats at the other replica is told to drop what is over or cancelled, and nothing else',
    run: async (here, there) => {
      const room = await here.newRoom()
      const worker = await pullAt(room, here, there)
      await here.submitMany(room, 2)
      const [first, second] = [await pulled(here, worker), await pulled(there, worker)]
      for (const scene of [there, here]) expect(await droppedBy(scene, worker, first, second)).toEqual([])
      const invented = [
        { ...first, token: 'of nobody' },
        { ...first, job: second.job },
        { ...first, room: await here.newRoom() },
        { ...first, room: 'no such\nroom' },
      ]
      expect(await droppedBy(there, worker, first, ...invented)).toEqual(invented)
      await here.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${first.job}/cancel`)
      expect(await droppedBy(there, worker, first, second)).toEqual([first])
      await report(there, second, { status: 'completed', result: {} })
      expect(await droppedBy(here, worker, second)).toEqual([second])
    },
  },
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
