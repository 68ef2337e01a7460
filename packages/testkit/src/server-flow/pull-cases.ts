// Workers that ask for their jobs instead of holding a socket: one lifecycle behind both doors.

import type { AssignedJob, RegisteredView } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowCase, FlowScene, HistoryEntry } from './flow-scene.ts'
import { type RawOffer, refOf, registrationOf } from './worker/raw-worker.ts'

export const pullCases: readonly FlowCase[] = [
  {
    title: '[M7] a worker that pulls and one that is pushed leave the same history behind',
    run: async (scene) => {
      const [pulled, pushed] = [await scene.newRoom(), await scene.newRoom()]
      const id = await register(scene, pulled)
      const byPull = await scene.submit(pulled)
      const job = await next(scene, id, 25_000)
      expect(job).toMatchObject({ id: byPull, room: pulled, charged: 0 })
      expect(await status(scene, job, { status: 'processing', progress: 0.5, message: 'half' })).toBe(
        'running',
      )
      const beat = { running: [refOf(job)], free: 0 }
      const alive = await scene.admin.expect<{ dropped: unknown[] }>(
        200,
        'POST',
        `/api/workers/${id}/beat`,
        beat,
      )
      expect(alive.dropped).toEqual([])
      const done = { status: 'completed', result: { n: 1 }, log: ['a line'] }
      expect(await status(scene, job, done)).toBe('completed')

      const worker = await scene.worker([{ room: pushed }])
      const byPush = await scene.submit(pushed)
      const same = await worker.assigned.next()
      await worker.started(same)
      await worker.progress(same, 0.5, 'half')
      await worker.log(same, 'a line')
      await worker.completed(same, { n: 1 })

      const ofPull = await scene.history(pulled, byPull)
      expect(steps(ofPull)).toEqual(steps(await scene.history(pushed, byPush)))
      expect(ofPull.map(({ status: one }) => one)).toEqual(['pending', 'assigned', 'running', 'completed'])
      const [a, b] = [await scene.job(pulled, byPull), await scene.job(pushed, byPush)]
      expect(Object.keys(a).toSorted()).toEqual(Object.keys(b).toSorted())
      expect(a).toMatchObject({ status: 'completed', result: { n: 1 }, worker: id, attempts: [{}] })
    },
  },
  {
    title:
      '[M7] a question with no job is answered with 204 after its wait, and one that waits gets the next job',
    run: async (scene) => {
      const room = await scene.newRoom()
      const id = await register(scene, room)
      expect((await scene.admin.call('POST', '/api/jobs/next', { worker: id })).status).toBe(204)
      expect((await scene.admin.call('POST', '/api/jobs/next', { worker: id, waitMs: 20 })).status).toBe(204)
      const question = next(scene, id, 25_000)
      const submitted = await scene.submit(room)
      expect((await question).id).toBe(submitted)
    },
  },
  {
    title:
      '[M48] one question gets one job, however many come at once, and the others wait for the next question',
    run: async (scene) => {
      const room = await scene.newRoom()
      const id = await register(scene, room, { slots: 20 })
      const question = next(scene, id, 25_000)
      const submitted = await Promise.all(Array.from({ length: 20 }, () => scene.submit(room)))
      const got = [(await question).id]
      // Well before a job that was given to nobody would come back by its acceptance deadline.
      for (const _ of submitted.slice(1)) got.push((await next(scene, id, 4_000)).id)
      expect(got.toSorted()).toEqual(submitted.toSorted())
      for (const job of submitted) expect((await scene.job(room, job)).attempts).toHaveLength(1)
    },
  },
  {
    title: '[M7] a job given to a question whose asker has gone comes back and goes to the next question',
    run: async (scene) => {
      const room = await scene.newRoom()
      const id = await register(scene, room, { slots: 1, policy: { job: { acceptMs: 200 } } })
      const gone = new AbortController()
      const body = { worker: id, waitMs: 25_000 }
      const question = scene.admin.call('POST', '/api/jobs/next', body, gone.signal)
      gone.abort()
      await expect(question).rejects.toThrow()
      const submitted = await scene.submit(room)
      expect((await next(scene, id, 25_000)).id).toBe(submitted)
    },
  },
  {
    title: '[M7] several questions of one worker get a job each and no more than it has slots',
    run: async (scene) => {
      const room = await scene.newRoom()
      const id = await register(scene, room, { slots: 2 })
      const questions = [next(scene, id, 25_000), next(scene, id, 25_000)]
      const jobs = await scene.submitMany(room, 3)
      const given = await Promise.all(questions)
      expect(given.map((job) => job.id).toSorted()).toEqual(jobs.slice(0, 2))
      expect((await scene.admin.call('POST', '/api/jobs/next', { worker: id, waitMs: 20 })).status).toBe(204)
      const [first] = given
      if (first) await status(scene, first, { status: 'failed', error: { message: 'no' }, retryable: false })
      expect((await next(scene, id, 25_000)).id).toBe(jobs[2])
    },
  },
  {
    title:
      '[M7] a worker that rejects by REST hands the job on, and a stranger can neither ask nor beat for it',
    run: async (scene) => {
      const room = await scene.newRoom()
      const id = await register(scene, room)
      const submitted = await scene.submit(room)
      const job = await next(scene, id, 25_000)
      expect(await status(scene, job, { status: 'rejected', message: 'not today' })).toBe('pending')
      expect((await next(scene, id, 25_000)).id).toBe(submitted)

      const stranger = await scene.user()
      const asked = await stranger.refused(409, 'POST', '/api/jobs/next', { worker: id })
      expect(asked.code).toBe('worker_lost')
      const beat = { running: [], free: 1 }
      await stranger.refused(409, 'POST', `/api/workers/${id}/beat`, beat)
      const taken = await stranger.refused(403, 'POST', '/api/workers/register', registrationOf({ id }, []))
      expect(taken.code).toBe('worker_not_yours')
    },
  },
]

async function register(
  scene: FlowScene,
  room: string,
  { slots = 1, ...offer }: RawOffer & { readonly slots?: number } = {},
): Promise<string> {
  const id = scene.newName('puller')
  const body = registrationOf({ id, slots }, [{ room, ...offer }])
  const view = await scene.admin.expect<RegisteredView>(200, 'POST', '/api/workers/register', body)
  expect(view).toMatchObject({ worker: id, resumed: [], dropped: [] })
  return id
}

function next(scene: FlowScene, worker: string, waitMs: number): Promise<AssignedJob> {
  return scene.admin.expect<AssignedJob>(200, 'POST', '/api/jobs/next', { worker, waitMs })
}

async function status(scene: FlowScene, job: AssignedJob, report: Record<string, unknown>): Promise<string> {
  const path = `/api/rooms/${job.room}/jobs/${job.id}/status`
  const body = { token: job.token, ...report }
  return (await scene.admin.expect<{ status: string }>(200, 'PUT', path, body)).status
}

function steps(history: readonly HistoryEntry[]): readonly string[] {
  return history.map(
    ({ status: one, reason, by }) => `${one}: ${reason}${by === undefined ? '' : ' by somebody'}`,
  )
}
