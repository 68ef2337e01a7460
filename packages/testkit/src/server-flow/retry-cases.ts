// Running an ended job again: a new job, and each names the other.

import type { JobsPage, Submitted } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import type { RawWorker } from './worker/raw-worker.ts'

const retryPath = (room: string, id: string): string => `/api/rooms/${room}/jobs/${id}/retry`

export const retryCases: readonly FlowCase[] = [
  {
    title:
      '[M49] a dead letter is run again as a new job, each names the other, and it is a dead letter no more',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const ear = await scene.ear(room)
      const dead = await failed(scene, worker, room)
      const { id, created } = await retried(scene, room, dead)
      expect(created).toBe(true)
      const job = await worker.assigned.next()
      expect(job).toMatchObject({ id, data: { n: 7 } })
      await worker.completed(job, { n: 7 })
      await ear.reached(id, 'completed')
      expect(await scene.job(room, id)).toMatchObject({ redriveOf: dead, result: { n: 7 }, charged: 0 })
      expect(await scene.job(room, dead)).toMatchObject({
        status: 'failed',
        redrivenAs: id,
        deadLetter: false,
        priority: 7,
      })
      const { jobs } = await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs?deadLetters=true`)
      expect(jobs).toEqual([])
      expect(ear.pathOf(dead).filter((status) => status === 'failed')).toHaveLength(2)
    },
  },
  {
    title: '[M49] however many ask at once, a dead letter becomes one job, and all are named it',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const dead = await failed(scene, worker, room)
      const answers = await Promise.all(Array.from({ length: 20 }, () => retried(scene, room, dead)))
      expect(answers.filter(({ created }) => created)).toHaveLength(1)
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      const { id } = await worker.assigned.next()
      expect(answers[0]?.id).toBe(id)
      expect(await retried(scene, room, dead)).toEqual({ id, created: false })
      const { jobs } = await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs`)
      expect(jobs).toHaveLength(2)
    },
  },
  {
    title: '[M49] a completed and a cancelled job are run again as often as wanted, at once too',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 100 })
      const done = await scene.submit(room, { n: 1 })
      await worker.completed(await worker.assigned.next())
      const dropped = await scene.submit(room, { n: 2 }, { notBefore: Date.now() + 3_600_000 })
      await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${dropped}/cancel`)
      for (const old of [done, dropped]) {
        const answers = await Promise.all(Array.from({ length: 8 }, () => retried(scene, room, old)))
        const ids = answers.map(({ id }) => id)
        expect(new Set(ids).size).toBe(8)
        const given = await worker.assigned.take(8)
        expect(given.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
        expect(ids).toContain((await scene.job(room, old)).redrivenAs)
      }
    },
  },
  {
    title: '[M49] who runs it again is its submitter from then on, with their own right to a priority',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const urgent = await scene.submit(room, {}, { priority: 10 })
      await worker.completed(await worker.assigned.next())
      const user = await scene.user()
      const { id } = await user.expect<Submitted>(201, 'POST', retryPath(room, urgent))
      expect(await scene.job(room, id)).toMatchObject({ submitter: user.user, priority: 7 })
    },
  },
  {
    title: '[M49] a job that has not ended, and one that there is not, are not run again',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      await worker.assigned.next()
      expect((await scene.admin.refused(409, 'POST', retryPath(room, id))).code).toBe('job_not_ended')
      expect((await scene.admin.refused(404, 'POST', retryPath(room, 'none'))).code).toBe('job_not_found')
    },
  },
  {
    title: '[M50] a job is run again with the schema as it is now, its defaults filled in',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const dead = await failed(scene, worker, room)
      const schema = { properties: { n: { type: 'integer' }, unit: { type: 'string', default: 'eV' } } }
      await worker.register({ id: worker.id }, [{ room, schema }])
      const { id } = await retried(scene, room, dead)
      expect(await worker.assigned.next()).toMatchObject({ id, data: { n: 7, unit: 'eV' } })
      const [old, now] = [await scene.job(room, dead), await scene.job(room, id)]
      expect(old.data).toEqual({ n: 7 })
      expect(now.schemaHash).not.toBe(old.schemaHash)
    },
  },
  {
    title: '[M50] data that no longer fits is refused with JSON pointers, and the dead letter stays one',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const dead = await failed(scene, worker, room)
      const stricter = { properties: { n: { type: 'string' } }, required: ['n', 'unit'] }
      await worker.register({ id: worker.id }, [{ room, schema: stricter }])
      const problem = await scene.admin.refused(422, 'POST', retryPath(room, dead))
      expect(problem.code).toBe('data_invalid')
      expect(JSON.stringify(problem.details)).toContain('"/n"')
      const job = await scene.job(room, dead)
      expect(job.deadLetter).toBe(true)
      expect(job).not.toHaveProperty('redrivenAs')

      await worker.register({ id: worker.id }, [{ room, schema: { properties: { n: {} } } }])
      expect(await retried(scene, room, dead)).toMatchObject({ created: true })
    },
  },
  {
    title: '[M50] a job whose extension is gone is not run again',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const dead = await failed(scene, worker, room)
      await worker.socket.emitWithAck('extension:unregister', {})
      expect((await scene.admin.refused(404, 'POST', retryPath(room, dead))).code).toBe('extension_not_found')
    },
  },
]

function retried(scene: FlowScene, room: string, id: string): Promise<Submitted> {
  return scene.admin.expect<Submitted>(201, 'POST', retryPath(room, id))
}

async function failed(scene: FlowScene, worker: RawWorker, room: string): Promise<string> {
  const id = await scene.submit(room, { n: 7 }, { priority: 7 })
  expect(await worker.failed(await worker.assigned.next(), 'it broke', false)).toBe('failed')
  return id
}
