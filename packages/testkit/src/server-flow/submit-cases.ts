// What a submit promises: once for each key, all or nothing, validated with defaults, and forms that remember.

import type { JobsPage, Submitted } from '@millrace/protocol'
import { expect } from 'vitest'
import { tell } from './checked-client.ts'
import type { FlowCase } from './flow-scene.ts'
import { RoomEar } from './room-ear.ts'
import { registrationOf } from './worker/raw-worker.ts'

const strictSteps = {
  properties: {
    steps: { type: 'integer', minimum: 1, default: 10 },
    method: { type: 'string', default: 'fire' },
  },
  required: ['steps'],
  additionalProperties: false,
}

export const submitCases: readonly FlowCase[] = [
  {
    title: '[M46] a field that nobody knows is refused, in the policy of a job too',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit`
      for (const body of [
        { data: {}, prioriti: 3 },
        { data: {}, policy: { retries: 1 } },
      ]) {
        expect((await scene.admin.refused(400, 'POST', path, body)).code).toBe('request_invalid')
      }
      expect((await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs`)).jobs).toEqual([])
    },
  },
  {
    title: '[M47] a registration that is refused leaves nothing behind, so its id is free for another user',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      const other = await scene.user()
      const registration = registrationOf({ id: `same-folder-${room}` }, [{ room }])
      const refused = await other.refused(403, 'POST', '/api/workers/register', registration)
      expect(refused.code).toBe('extension_forbidden')
      await scene.admin.refused(404, 'GET', `/api/workers/same-folder-${room}`)
      await scene.admin.expect(200, 'POST', '/api/workers/register', registration)
    },
  },
  {
    title:
      '[M8] a key with the same body is the same job, with another body it is refused, and it is its user’s own',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      const other = await scene.user()
      const path = `/api/rooms/${room}/jobs`
      const body = { category: 'modifiers', extension: 'Relax', data: { n: 1 }, idempotencyKey: 'once' }
      const tries = await Promise.all(
        Array.from({ length: 10 }, () => scene.admin.expect<Submitted>(201, 'POST', path, body)),
      )
      expect(new Set(tries.map(({ id }) => id)).size).toBe(1)
      expect(tries.filter(({ created }) => created)).toHaveLength(1)
      const changed = await scene.admin.refused(422, 'POST', path, { ...body, data: { n: 2 } })
      expect(changed.code).toBe('idempotency_mismatch')
      const theirs = await other.expect<Submitted>(201, 'POST', path, body)
      expect(theirs.created).toBe(true)
      expect((await scene.admin.get<JobsPage>(path)).jobs).toHaveLength(2)
    },
  },
  {
    title: '[J58] what is no idempotency key is refused with one code, however long, and changes nothing',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }])
      const path = `/api/rooms/${room}/jobs`
      const many = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
      for (const idempotencyKey of [
        '',
        'a b',
        'a\nb\tc',
        'ü',
        'k'.repeat(129),
        'k'.repeat(257),
        'k'.repeat(200_000),
      ]) {
        const body = { category: 'modifiers', extension: 'Relax', data: {}, idempotencyKey }
        const alone = await scene.admin.refused(422, 'POST', path, body)
        const jobs = [{ data: {} }, { data: {}, idempotencyKey }]
        const together = await scene.admin.refused(422, 'POST', many, { jobs })
        expect([alone.code, together.code]).toEqual(['submission_out_of_range', 'submission_out_of_range'])
      }
      expect((await scene.admin.get<JobsPage>(path)).jobs).toEqual([])
    },
  },
  {
    title: '[M182] a keyed submit that is sent again is answered with its job after the extension has gone',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const other = await scene.user()
      const one = { category: 'modifiers', extension: 'Relax', data: { n: 1 }, idempotencyKey: 'once' }
      const path = `/api/rooms/${room}/jobs`
      const many = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
      const jobs = ['a', 'b'].map((idempotencyKey) => ({ data: { idempotencyKey }, idempotencyKey }))
      const { id } = await scene.admin.expect<Submitted>(201, 'POST', path, one)
      const bulk = await scene.admin.expect<{ jobs: Submitted[] }>(201, 'POST', many, { jobs })
      for (let n = 0; n < 3; n += 1) await worker.completed(await worker.assigned.next())
      await worker.socket.emitWithAck('extension:unregister', {})
      const missing = await scene.admin.refused(404, 'POST', path, { ...one, idempotencyKey: 'other' })
      expect(missing.code).toBe('extension_not_found')

      expect(await scene.admin.expect(201, 'POST', path, one)).toEqual({ id, created: false })
      expect(await scene.admin.expect(201, 'POST', many, { jobs })).toEqual({
        jobs: bulk.jobs.map((job) => ({ ...job, created: false })),
      })
      const changed = await scene.admin.refused(422, 'POST', path, { ...one, data: { n: 2 } })
      expect(changed.code).toBe('idempotency_mismatch')
      const partly = { jobs: [...jobs, { data: {}, idempotencyKey: 'c' }] }
      expect((await scene.admin.refused(404, 'POST', many, partly)).code).toBe('extension_not_found')
      const unkeyed = { jobs: [...jobs, { data: {} }] }
      expect((await scene.admin.refused(404, 'POST', many, unkeyed)).code).toBe('extension_not_found')
      expect((await other.refused(404, 'POST', path, one)).code).toBe('extension_not_found')
    },
  },
  {
    title: '[M182] a keyed submit is the same request under another schema and under other defaults',
    run: async (scene) => {
      const room = await scene.newRoom()
      const path = `/api/rooms/${room}/jobs`
      const one = { category: 'modifiers', extension: 'Relax', data: { steps: 3 }, idempotencyKey: 'once' }
      const { properties } = strictSteps
      const schemas = [
        strictSteps,
        { ...strictSteps, properties: { ...properties, method: { type: 'string', default: 'lbfgs' } } },
        { ...strictSteps, properties: { ...properties, steps: { type: 'integer', minimum: 5 } } },
      ]
      const answers: Submitted[] = []
      for (const schema of schemas) {
        const worker = await scene.worker([{ room, schema }])
        answers.push(await scene.admin.expect<Submitted>(201, 'POST', path, one))
        await worker.socket.emitWithAck('extension:unregister', {})
      }
      expect(answers.map(({ created }) => created)).toEqual([true, false, false])
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect((await scene.admin.get<JobsPage>(path)).jobs).toHaveLength(1)
      const filled = { ...one, data: { steps: 3, method: 'fire' } }
      expect((await scene.admin.refused(422, 'POST', path, filled)).code).toBe('idempotency_mismatch')
    },
  },
  {
    title: '[M182] whoever may no longer submit to a room is not told what they submitted before',
    run: async (scene) => {
      const room = await scene.newRoom('private')
      await scene.worker([{ room }])
      const member = await scene.user()
      const membership = `/api/rooms/${room}/members/${member.user}`
      await scene.admin.expect(200, 'PUT', membership, { role: 'member' })
      const options = { idempotencyKey: 'once' }
      await scene.submit(room, {}, options, member)
      await scene.admin.expect(204, 'DELETE', membership)
      const body = { category: 'modifiers', extension: 'Relax', data: {}, ...options }
      expect((await member.refused(404, 'POST', `/api/rooms/${room}/jobs`, body)).code).toBe('room_not_found')
    },
  },
  {
    title:
      '[M9] many jobs are submitted all or not at all, and the refusal names each value that does not fit',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, schema: strictSteps }])
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
      const jobs = [{ data: { steps: 1 } }, { data: { steps: 0 } }, { data: { steps: 1, colour: 'red' } }]
      const problem = await scene.admin.refused(422, 'POST', path, { jobs })
      expect(problem.code).toBe('data_invalid')
      expect(problem.details).toMatchObject({
        errors: [
          { index: 1, pointer: '/steps' },
          { index: 2, pointer: '/colour' },
        ],
      })
      expect((await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs`)).jobs).toEqual([])
      const good = await scene.admin.expect<{ jobs: Submitted[] }>(201, 'POST', path, {
        jobs: jobs.slice(0, 1),
      })
      expect(good.jobs).toMatchObject([{ created: true }])
    },
  },
  {
    title: '[M10] data that does not fit is refused with JSON pointers, and what fits runs with its defaults',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room, schema: strictSteps }])
      const path = `/api/rooms/${room}/jobs`
      const body = { category: 'modifiers', extension: 'Relax' }
      const problem = await scene.admin.refused(422, 'POST', path, { ...body, data: { steps: 'ten' } })
      expect(problem).toMatchObject({ code: 'data_invalid', details: { errors: [{ pointer: '/steps' }] } })
      const id = await scene.submit(room, { steps: 3 })
      expect((await worker.assigned.next()).data).toEqual({ steps: 3, method: 'fire' })
      expect((await scene.job(room, id)).data).toEqual({ steps: 3, method: 'fire' })
      const misspelt = await scene.admin.refused(400, 'POST', path, { ...body, data: {}, priorty: 3 })
      expect(misspelt).toMatchObject({ code: 'request_invalid' })
      expect(misspelt.detail).toContain('priorty')
    },
  },
  {
    title: '[M11] another schema is refused while workers serve the first, with both hashes and what differs',
    run: async (scene) => {
      const room = await scene.newRoom()
      const first = await scene.worker([{ room, schema: strictSteps }])
      const other = { ...strictSteps, properties: { ...strictSteps.properties, steps: { type: 'number' } } }
      const body = registrationOf({ id: scene.newName('worker') }, [{ room, schema: other }])
      const problem = await scene.admin.refused(409, 'POST', '/api/workers/register', body)
      expect(problem.code).toBe('extension_schema_conflict')
      expect(problem.detail).toContain('/properties/steps')
      expect(JSON.stringify(problem.details)).toContain('/properties/steps/type')
      expect(JSON.stringify(problem.details)).toContain(first.view?.extensions[0]?.hash ?? 'no hash')

      const socket = await scene.admin.socket()
      const answer = await tell<{ ok: boolean; problem: { code: string } }>(
        socket,
        'extension:register',
        body,
      )
      expect(answer).toMatchObject({ ok: false, problem: { code: 'extension_schema_conflict' } })
      await first.socket.emitWithAck('extension:unregister', {})
      const again = await tell(socket, 'extension:register', body)
      expect(again.ok).toBe(true)
    },
  },
  {
    title: '[M12] settings are stored at once, without a job, and told to that user’s sessions only',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, category: 'settings', name: 'Camera' }])
      const [me, other] = [await scene.user(), await scene.user()]
      const [mine, alsoMine, theirs] = await Promise.all([
        RoomEar.open(me),
        scene.ear(room, me),
        scene.ear(room, other),
      ])
      const path = `/api/rooms/${room}/extensions/room/settings/Camera`
      const stored = await me.expect(200, 'POST', `${path}/submit`, { data: { zoom: 2 } })
      expect(stored).toEqual({ values: { zoom: 2 } })
      for (const ear of [mine, alsoMine]) {
        const told = await ear.heard.next(({ event }) => event === 'values:changed')
        expect(told.payload).toEqual({ room, scope: 'room', category: 'settings', name: 'Camera' })
      }
      expect(await me.get(`${path}/values`)).toMatchObject({ values: { zoom: 2 } })
      expect(await other.get(`${path}/values`)).toEqual({ values: null, at: null })
      expect((await me.get<JobsPage>(`/api/rooms/${room}/jobs`)).jobs).toEqual([])
      // Something everybody in the room hears comes after it in the same log.
      await scene.admin.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 2 })
      await theirs.heard.next(({ event }) => event === 'room:changed')
      expect(theirs.heard.all.filter(({ event }) => event === 'values:changed')).toEqual([])
    },
  },
  {
    title: '[M13] a form remembers what its user submitted last, defaults included, and nothing of a bulk',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room, schema: strictSteps }])
      const [me, other] = [await scene.user(), await scene.user()]
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax`
      expect(await me.get(`${path}/values`)).toEqual({ values: null, at: null })
      await scene.submit(room, { steps: 4 }, {}, me)
      await me.expect(201, 'POST', `${path}/submit-many`, {
        jobs: [{ data: { steps: 5 } }, { data: { steps: 6 } }],
      })
      expect(await me.get(`${path}/values`)).toMatchObject({ values: { steps: 4, method: 'fire' } })
      expect(await other.get(`${path}/values`)).toEqual({ values: null, at: null })
    },
  },
]
