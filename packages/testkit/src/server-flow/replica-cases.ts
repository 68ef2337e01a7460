// Two servers on one store: whatever is done at one is done, and heard, at the other.

import { expect } from 'vitest'
import { progressHeard } from './feed-cases.ts'
import type { FlowScene } from './flow-scene.ts'
import { toldPresence } from './presence-cases.ts'
import { RoomEar } from './room-ear.ts'

export interface ReplicaCase {
  readonly title: string
  readonly run: (here: FlowScene, there: FlowScene) => Promise<void>
}

export const replicaCases: readonly ReplicaCase[] = [
  {
    title: '[M43] a job submitted at one replica goes to a worker at the other, and both rooms hear it',
    run: async (here, there) => {
      const room = await here.newRoom()
      const ears = [await here.ear(room), await there.ear(room)]
      const worker = await there.worker([{ room }])
      const id = await here.submit(room, { n: 1 })
      const job = await worker.assigned.next()
      expect(job.id).toBe(id)
      await worker.started(job)
      await progressHeard(worker, job, ...ears)
      await worker.completed(job, { n: 1 })
      for (const ear of ears) {
        await ear.reached(id, 'completed')
        expect(ear.pathOf(id)).toEqual(['pending', 'assigned', 'running', 'completed'])
      }
      expect(await here.job(room, id)).toEqual(await there.job(room, id))
    },
  },
  {
    title: '[M43] workers at two replicas share a queue, and each job runs exactly once',
    run: async (here, there) => {
      const room = await here.newRoom()
      const ledger = await here.ledger()
      const ear = await here.ear(room)
      const task = {
        ledger: ledger.file,
        count: 2,
        extensions: [{ room, category: 'modifiers', name: 'Relax' }],
      }
      await Promise.all([here.process(task), there.process(task)])
      const jobs = (await Promise.all([here.submitMany(room, 40), there.submitMany(room, 40)])).flat()
      await ear.states.until((all) => all.filter(({ status }) => status === 'completed').length === 80)
      expect(ledger.jobs().toSorted()).toEqual(jobs.toSorted())
    },
  },
  {
    title: '[M43] a cancel at one replica reaches the worker at the other',
    run: async (here, there) => {
      const room = await here.newRoom()
      const worker = await there.worker([{ room }])
      const id = await here.submit(room)
      await worker.started(await worker.assigned.next())
      await here.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${id}/cancel`)
      expect(await worker.cancels.next()).toMatchObject({ job: id, how: 'abort' })
    },
  },
  {
    title: '[M67] a worker that is drained or sent away at one replica gets nothing at the other',
    run: async (here, there) => {
      const room = await here.newRoom()
      const worker = await there.worker([{ room }])
      await here.admin.expect(200, 'POST', `/api/workers/${worker.id}/drain`)
      await there.worker([{ room: await here.newRoom() }])
      const gone = new Promise((resolve) => worker.socket.once('disconnect', resolve))
      await here.admin.expect(200, 'POST', `/api/workers/${worker.id}/disconnect`)
      await gone
      const [other, id] = [await there.worker([{ room }]), await here.submit(room)]
      expect((await other.assigned.next()).id).toBe(id)
      expect(worker.assigned.all).toEqual([])
    },
  },
  {
    title: '[M43] a report at another replica than the worker’s is taken, and frees its slot there',
    run: async (here, there) => {
      const room = await here.newRoom()
      const worker = await there.worker([{ room }])
      const [first, second] = await here.submitMany(room, 2)
      const { token } = await worker.assigned.next(({ id }) => id === first)
      const path = `/api/rooms/${room}/jobs/${first}/status`
      await here.admin.expect(200, 'PUT', path, { token, status: 'completed', result: { n: 1 } })
      expect((await worker.assigned.next()).id).toBe(second)
    },
  },
  {
    title: '[M43] whichever replica notices a passed deadline, the worker’s replica has its slot again',
    run: async (here, there) => {
      const room = await here.newRoom()
      const worker = await there.worker([{ room, policy: { job: { acceptMs: 100 } } }])
      const id = await here.submit(room)
      const given = await worker.assigned.take(6)
      expect(new Set(given.map(({ token }) => token)).size).toBe(6)
      const last = given.at(-1)
      expect(last?.id).toBe(id)
    },
  },
  {
    title: '[M43] a worker that moves to the other replica takes its attempts along',
    run: async (here, there) => {
      const room = await here.newRoom()
      const before = await here.worker([{ room }])
      const id = await here.submit(room)
      const job = await before.assigned.next()
      await before.started(job)
      before.close()
      const after = await there.worker([{ room }], { id: before.id, attempts: [job] })
      expect(after.view?.resumed).toHaveLength(1)
      expect(await after.completed(job, { moved: true })).toBe('completed')
      const next = await here.submit(room)
      expect((await after.assigned.next()).id).toBe(next)
      expect(await here.job(room, id)).toMatchObject({
        status: 'completed',
        attempts: [{ worker: before.id }],
      })
    },
  },
  {
    title: '[M43] memberships and tokens that end at one replica cut sockets at the other',
    run: async (here, there) => {
      const [owner, member] = [await here.user(), await here.user()]
      const room = await here.newRoom('private', owner)
      const path = `/api/rooms/${room}/members/${member.user}`
      await owner.expect(200, 'PUT', path, { role: 'member' })
      const ofMember = await RoomEar.join(there.withToken(member.token ?? '', member.user), room)
      const ofOwner = await RoomEar.open(there.withToken(owner.token ?? '', owner.user))
      await owner.expect(204, 'DELETE', path)
      await ofMember.cut()
      await owner.expect(204, 'POST', '/api/auth/logout')
      await ofOwner.cut()
    },
  },
  {
    title:
      '[M43] a role that changes at one replica cuts the sockets of that user at the other, and no others',
    run: async (here, there) => {
      const [promoted, other] = [await here.user(), await here.user()]
      const at = await RoomEar.open(there.withToken(promoted.token ?? '', promoted.user))
      const untouched = await RoomEar.open(there.withToken(other.token ?? '', other.user))
      await here.admin.expect(200, 'PATCH', `/api/users/${promoted.user}`, { role: 'admin' })
      await at.cut()
      await there.withToken(promoted.token ?? '', promoted.user).refused(401, 'GET', '/api/auth/me')
      expect(untouched.socket.connected).toBe(true)
    },
  },
  {
    title: '[M43] a schema of a worker at one replica is known and defended at the other',
    run: async (here, there) => {
      const room = await here.newRoom()
      await here.worker([{ room, schema: { properties: { a: { type: 'integer' } } } }])
      const other = { properties: { a: { type: 'string' } } }
      await expect(there.worker([{ room, schema: other }])).rejects.toThrow('extension_schema_conflict')
      const body = { category: 'modifiers', extension: 'Relax', data: { a: 'text' } }
      const problem = await there.admin.refused(422, 'POST', `/api/rooms/${room}/jobs`, body)
      expect(problem.code).toBe('data_invalid')
    },
  },
  {
    title: '[G11] those at one replica are seen, and heard of, at the other',
    run: async (here, there) => {
      const room = await here.newRoom()
      const user = await here.user()
      const ear = await here.ear(room)
      const theirs = await RoomEar.join(there.withToken(user.token ?? '', user.user), room)
      const both = [
        { user: here.admin.user, sessions: 1 },
        { user: user.user, sessions: 1 },
      ]
      for (const each of [ear, theirs]) await toldPresence(each, both)
      for (const scene of [here, there])
        expect(await scene.admin.get(`/api/rooms/${room}/presence`)).toEqual({ room, people: both, count: 2 })
      const heardBefore = ear.heard.all.length
      theirs.socket.close()
      await toldPresence(ear, both.slice(0, 1), heardBefore)
    },
  },
  {
    title: '[G7] an error that was met at two replicas is counted at both',
    run: async (here, there) => {
      const room = await here.newRoom()
      for (const scene of [here, there, here]) {
        const worker = await scene.worker([{ room }])
        await scene.submit(room)
        await worker.failed(await worker.assigned.next(), 'the beam is off', false)
        worker.close()
      }
      for (const { admin } of [here, there])
        expect(await admin.get(`/api/errors?room=${room}`)).toMatchObject({
          errors: [{ pattern: 'the beam is off', count: 3 }],
        })
    },
  },
]
