// Dead letters, and what is done to many jobs in one request: each as if it had been asked for alone.

import type { JobsPage, ManyDone, Submitted } from '@millrace/protocol'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import type { RawWorker } from './worker/raw-worker.ts'

type Act = 'jobs/cancel' | 'jobs/retry' | 'dead-letters/redrive'

const nothing = { matched: 0, done: 0, refused: [] }

export const manyJobsCases: readonly FlowCase[] = [
  {
    title: '[M80] dead letters are listed with the filters and pages of other jobs, until they are run again',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }, { room, name: 'Other' }], { slots: 10 })
      const [first = '', second = '', third = ''] = await deadLetters(scene, worker, room, 3)
      const other = await deadLetter(scene, worker, room, 'Other')
      await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      expect(await dead(scene, room)).toEqual([other, third, second, first])
      expect(await dead(scene, room, 'extension=Other')).toEqual([other])
      expect(await dead(scene, room, 'search=%22n%22:1&order=oldest')).toEqual([second])
      expect(await dead(scene, room, 'submitter=nobody-here')).toEqual([])
      const page = await scene.admin.get<JobsPage>(`/api/rooms/${room}/dead-letters?limit=3`)
      expect(await dead(scene, room, `cursor=${page.cursor}`)).toEqual([first])
      const everywhere = await scene.admin.get<JobsPage>('/api/jobs?deadLetters=true&limit=500')
      expect(everywhere.jobs.map(({ id }) => id)).toEqual(expect.arrayContaining([first, other]))
      await scene.admin.expect(201, 'POST', `/api/rooms/${room}/jobs/${second}/retry`)
      expect(await dead(scene, room, 'extension=Relax')).toEqual([third, first])
    },
  },
  {
    title:
      '[M81] dead letters are redriven by ids, each as a job that names it; what is none is refused for itself',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 10 })
      const ids = await deadLetters(scene, worker, room, 2)
      const done = await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      const open = await scene.submit(room)
      await worker.assigned.next()
      const answer = await act(scene, room, 'dead-letters/redrive', {
        ids: [...ids, done, open, 'none', ...ids],
      })
      expect(answer).toMatchObject({ matched: 4, done: 2 })
      expect(codes(answer)).toEqual({
        [done]: 'job_not_dead_letter',
        [open]: 'job_not_ended',
        none: 'job_not_found',
      })
      const made = await worker.assigned.take(2)
      for (const old of ids) {
        const { redrivenAs = '', deadLetter } = await scene.job(room, old)
        expect(deadLetter).toBe(false)
        expect(made.map(({ id }) => id)).toContain(redrivenAs)
        expect((await scene.job(room, redrivenAs)).redriveOf).toBe(old)
      }
      expect(codes(await act(scene, room, 'dead-letters/redrive', { ids }))).toEqual({
        [ids[0] ?? '']: 'job_redriven',
        [ids[1] ?? '']: 'job_redriven',
      })
    },
  },
  {
    title:
      '[M81] dead letters are redriven by filter; data that fits its schema no more is refused and stays one',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }, { room, name: 'Other' }], { slots: 10 })
      const [first = '', second = ''] = await deadLetters(scene, worker, room, 2)
      const other = await deadLetter(scene, worker, room, 'Other')
      const schema = { properties: { n: { type: 'integer', maximum: 0 } } }
      await worker.register({ id: worker.id }, [{ room, schema }])
      const filter = { category: 'modifiers', extension: 'Relax', since: Date.now() - 3_600_000 }
      const answer = await act(scene, room, 'dead-letters/redrive', { filter })
      expect(answer).toEqual({ matched: 2, done: 1, refused: [{ id: second, code: 'data_invalid' }] })
      expect(await dead(scene, room)).toEqual([other, second])
      expect((await worker.assigned.next()).id).toBe((await scene.job(room, first)).redrivenAs)
      expect(await act(scene, room, 'dead-letters/redrive', { filter: { search: 'not in there' } })).toEqual(
        nothing,
      )
    },
  },
  {
    title:
      '[M82] many are cancelled by ids in whatever state they are; those that ended or are not there say so',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const worker = await scene.worker([{ room }], { slots: 2 })
      const done = await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      const running = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      const waiting = await scene.submit(room, {}, { notBefore: Date.now() + 3_600_000 })
      const ids = [done, running, waiting, 'none']
      const answer = await act(scene, room, 'jobs/cancel', { ids })
      expect(answer).toMatchObject({ matched: 3, done: 2 })
      expect(codes(answer)).toEqual({ [done]: 'job_ended', none: 'job_not_found' })
      await ear.reached(waiting, 'cancelled')
      expect(await scene.job(room, running)).toMatchObject({ cancel: { by: scene.admin.user } })
      expect(await act(scene, room, 'jobs/cancel', { ids: [waiting] })).toEqual({
        ...nothing,
        matched: 1,
        done: 1,
      })
    },
  },
  {
    title: '[M82] by filter those are cancelled that have not ended, and a member cancels no job of others',
    run: async (scene) => {
      const room = await scene.newRoom()
      const [user, worker] = [await scene.user(), await scene.worker([{ room }])]
      const done = await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      const [theirs, mine] = [await later(scene, room), await later(scene, room, user)]
      const answer = await act(scene, room, 'jobs/cancel', { filter: { extension: 'Relax' } }, user)
      expect(answer).toEqual({ matched: 2, done: 1, refused: [{ id: theirs, code: 'room_forbidden' }] })
      expect((await scene.job(room, mine)).status).toBe('cancelled')
      expect((await scene.job(room, theirs)).status).toBe('pending')
      expect((await scene.job(room, done)).status).toBe('completed')
      const filter = { status: 'pending', submitter: scene.admin.user, until: Date.now() + 1_000 }
      expect(await act(scene, room, 'jobs/cancel', { filter })).toEqual({ ...nothing, matched: 1, done: 1 })
    },
  },
  {
    title: '[M83] a request does a bounded amount, says where it ended, and the next goes on from there',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, name: 'Busy' }])
      await scene.admin.expect(200, 'POST', `/api/rooms/${room}/extensions/room/modifiers/Busy/pause`)
      await scene.submitMany(room, 1_000, 'Busy')
      await scene.submitMany(room, 150, 'Busy')
      const first = await act(scene, room, 'jobs/cancel', { filter: {} })
      expect(first).toMatchObject({ matched: 1_000, done: 1_000, refused: [] })
      expect(first.next).toBeDefined()
      const [late = ''] = await scene.submitMany(room, 1, 'Busy')
      const second = await act(scene, room, 'jobs/cancel', { filter: {}, cursor: first.next })
      expect(second).toEqual({ ...nothing, matched: 150, done: 150 })
      expect((await scene.job(room, late)).status).toBe('pending')
      for (const cursor of ['job/0', 'nothing@1', 'job/0@x']) {
        const refused = await scene.admin.refused(400, 'POST', `/api/rooms/${room}/jobs/cancel`, {
          filter: {},
          cursor,
        })
        expect(refused.code).toBe('request_invalid')
      }
    },
  },
  {
    title: '[M83] jobs that are made by running others again are not met by the request that made them',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 500 })
      worker.work()
      const ear = await scene.ear(room)
      const ids = await scene.submitMany(room, 250)
      for (const id of ids) await ear.reached(id, 'completed')
      const answer = await act(scene, room, 'jobs/retry', { filter: { status: 'completed' } })
      expect(answer).toEqual({ ...nothing, matched: 250, done: 250 })
      await ear.states.until((all) => all.filter(({ status }) => status === 'completed').length >= 500)
      const { jobs } = await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs?limit=500`)
      expect(jobs).toHaveLength(500)
    },
  },
  {
    title:
      '[M84] many that are retried are retried once, however they ended and however often it is asked at once',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 100 })
      const [broken = ''] = await deadLetters(scene, worker, room, 1)
      const done = await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      const ids = [broken, done]
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => act(scene, room, 'jobs/retry', { ids })),
      )
      expect(answers.reduce((sum, one) => sum + one.done, 0)).toBe(2)
      const refused = new Set(answers.flatMap((one) => one.refused.map(({ code }) => code)))
      expect([...refused]).toEqual(['job_redriven'])
      await worker.assigned.take(2)
      expect((await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs`)).jobs).toHaveLength(4)
      const alone = await scene.admin.expect<Submitted>(201, 'POST', `/api/rooms/${room}/jobs/${done}/retry`)
      expect(alone.created).toBe(true)
    },
  },
  {
    title: '[M84] without a status a retry means the dead letters, and asked again it finds none',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 10 })
      await deadLetters(scene, worker, room, 3)
      await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      const body = { filter: { extension: 'Relax' } }
      expect(await act(scene, room, 'jobs/retry', body)).toEqual({ ...nothing, matched: 3, done: 3 })
      await worker.assigned.take(3)
      expect(await act(scene, room, 'jobs/retry', body)).toEqual(nothing)
    },
  },
  {
    title: '[M85] a dry run counts what would be met and refused, and changes nothing',
    run: async (scene) => {
      const room = await scene.newRoom()
      const [user, worker] = [await scene.user(), await scene.worker([{ room }], { slots: 10 })]
      const [broken = ''] = await deadLetters(scene, worker, room, 1)
      const waiting = await later(scene, room)
      const dryRun = true
      const cancel = await act(scene, room, 'jobs/cancel', { ids: [broken, waiting], dryRun }, user)
      expect(cancel).toMatchObject({ matched: 2, done: 0 })
      expect(codes(cancel)).toEqual({ [broken]: 'room_forbidden', [waiting]: 'room_forbidden' })
      expect(codes(await act(scene, room, 'jobs/cancel', { ids: [broken, waiting], dryRun }))).toEqual({
        [broken]: 'job_ended',
      })
      expect(await act(scene, room, 'jobs/cancel', { filter: {}, dryRun })).toEqual({
        ...nothing,
        matched: 1,
      })
      expect(await act(scene, room, 'dead-letters/redrive', { filter: {}, dryRun })).toEqual({
        ...nothing,
        matched: 1,
      })
      expect(codes(await act(scene, room, 'dead-letters/redrive', { ids: [waiting], dryRun }))).toEqual({
        [waiting]: 'job_not_ended',
      })
      expect(await scene.job(room, broken)).toMatchObject({ deadLetter: true })
      expect(await scene.job(room, waiting)).toMatchObject({ status: 'pending' })
      expect((await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs`)).jobs).toHaveLength(2)
    },
  },
]

function act(
  scene: FlowScene,
  room: string,
  what: Act,
  body: unknown,
  client: CheckedClient = scene.admin,
): Promise<ManyDone> {
  return client.expect<ManyDone>(200, 'POST', `/api/rooms/${room}/${what}`, body)
}

function codes({ refused }: ManyDone): Readonly<Record<string, string>> {
  return Object.fromEntries(refused.map(({ id, code }) => [id, code]))
}

async function dead(scene: FlowScene, room: string, query = ''): Promise<readonly string[]> {
  const page = await scene.admin.get<JobsPage>(`/api/rooms/${room}/dead-letters?${query}`)
  return page.jobs.map(({ id }) => id)
}

function later(scene: FlowScene, room: string, client?: CheckedClient): Promise<string> {
  return scene.submit(room, {}, { notBefore: Date.now() + 3_600_000 }, client)
}

async function deadLetters(
  scene: FlowScene,
  worker: RawWorker,
  room: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await deadLetter(scene, worker, room, 'Relax', n))
  return ids
}

async function deadLetter(
  scene: FlowScene,
  worker: RawWorker,
  room: string,
  extension: string,
  n = 0,
): Promise<string> {
  const id = await scene.submit(room, { n }, { extension })
  expect(await worker.failed(await worker.assigned.next(), 'it broke', false)).toBe('failed')
  return id
}
