// Submitting on a socket: the same job as by REST, and no wider a door.

import { type AnswerOf, type JobsPage, type Submitted, serverEvents } from '@millrace/protocol'
import { expect } from 'vitest'
import { type CheckedClient, tell } from './checked-client.ts'
import type { FlowCase } from './flow-scene.ts'

type Answer = AnswerOf<typeof serverEvents.jobSubmit>

const schema = {
  properties: { steps: { type: 'integer', minimum: 1, default: 10 }, method: { default: 'fire' } },
  additionalProperties: false,
}

async function submit(client: CheckedClient, room: string, job: object): Promise<Answer> {
  const socket = await client.socket()
  try {
    return await tell<Answer>(socket, serverEvents.jobSubmit.event, {
      room,
      category: 'modifiers',
      extension: 'Relax',
      ...job,
    })
  } finally {
    socket.close()
  }
}

/** What was answered where it was no. */
async function refused(client: CheckedClient, room: string, job: object) {
  const answer = await submit(client, room, job)
  if (answer.ok) throw new Error(`${answer.id} was taken`)
  return answer.problem
}

async function jobsOf(client: CheckedClient, room: string): Promise<JobsPage['jobs']> {
  return (await client.get<JobsPage>(`/api/rooms/${room}/jobs`)).jobs
}

export const submitLineCases: readonly FlowCase[] = [
  {
    title: '[M222] a job that is submitted on a socket is validated, run and told of like any other',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room, schema }])
      const user = await scene.user()
      const ear = await scene.ear(room)
      const answer = await submit(user, room, { data: { steps: 3 }, priority: 9 })
      expect(answer).toEqual({ ok: true, id: expect.any(String), created: true })
      const id = answer.ok ? answer.id : ''
      const assigned = await worker.assigned.next()
      expect(assigned).toMatchObject({ id, data: { steps: 3, method: 'fire' } })
      await worker.completed(assigned)
      await ear.reached(id, 'completed')
      expect(await scene.job(room, id)).toMatchObject({
        submitter: user.user,
        priority: 7,
        status: 'completed',
      })
      const values = `/api/rooms/${room}/extensions/room/modifiers/Relax/values`
      expect(await user.get(values)).toEqual({ values: null, at: null })
    },
  },
  {
    title: '[M222] what REST refuses is refused on a socket with the same code, and leaves nothing behind',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, schema }])
      const misfit = await refused(scene.admin, room, { data: { steps: 'ten' } })
      expect(misfit).toMatchObject({ code: 'data_invalid', details: { errors: [{ pointer: '/steps' }] } })
      const misspelt = await refused(scene.admin, room, { data: {}, priorty: 3 })
      expect(misspelt.code).toBe('request_invalid')
      const unknown = await refused(scene.admin, room, { data: {}, extension: 'Melt' })
      expect(unknown.code).toBe('extension_not_found')
      const large = await refused(scene.admin, room, { data: { method: 'x'.repeat(1_100_000) } })
      expect(large.code).toBe('json_too_large')
      expect(await jobsOf(scene.admin, room)).toEqual([])
    },
  },
  {
    title: '[M222] a key means the same job by REST and on a socket',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, schema }])
      const keyed = { data: { steps: 3 }, idempotencyKey: 'once' }
      const first = await submit(scene.admin, room, keyed)
      const byRest = await scene.admin.expect<Submitted>(201, 'POST', `/api/rooms/${room}/jobs`, {
        category: 'modifiers',
        extension: 'Relax',
        ...keyed,
      })
      expect(first).toEqual({ ok: true, id: byRest.id, created: true })
      expect(await submit(scene.admin, room, keyed)).toEqual({ ok: true, id: byRest.id, created: false })
      const other = await refused(scene.admin, room, { ...keyed, data: { steps: 4 } })
      expect(other.code).toBe('idempotency_mismatch')
    },
  },
  {
    title: '[M222] settings are not taken on a socket, and stay as they were',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, category: 'settings', name: 'Camera' }])
      const camera = { category: 'settings', extension: 'Camera', data: { zoom: 2 } }
      const problem = await refused(scene.admin, room, camera)
      expect(problem).toMatchObject({ code: 'submission_out_of_range' })
      expect(problem.detail).toContain('POST /api/rooms')
      const values = `/api/rooms/${room}/extensions/room/settings/Camera/values`
      expect(await scene.admin.get(values)).toEqual({ values: null, at: null })
    },
  },
]
