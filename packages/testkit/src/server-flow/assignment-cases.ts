// How jobs find their workers: at once when somebody serves them, and never twice.

import type { JobView } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowCase } from './flow-scene.ts'
import { refOf } from './worker/raw-worker.ts'

export const assignmentCases: readonly FlowCase[] = [
  {
    title: '[M1] a worker that registers is given at once what waited for it, and the room hears every step',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ledger = await scene.ledger()
      const ear = await scene.ear(room)
      const first = await scene.worker([{ room }])
      const held = await scene.submit(room, { n: 0 })
      await first.started(await first.assigned.next())
      const waiting = await scene.submit(room, { n: 1 })
      expect((await scene.job(room, waiting)).status).toBe('pending')

      const extensions = [{ room, category: 'modifiers', name: 'Relax' }]
      await scene.process({ ledger: ledger.file, extensions })
      await ear.reached(waiting, 'completed')
      expect(ear.pathOf(waiting).at(0)).toBe('pending')
      expect(ear.pathOf(waiting).at(1)).toBe('assigned')
      expect(await scene.job(room, waiting)).toMatchObject({
        status: 'completed',
        result: { extension: 'modifiers/Relax', room, n: 1 },
      })
      expect((await scene.job(room, held)).status).toBe('running')
      expect(ledger.jobs()).toEqual([waiting])
    },
  },
  {
    title: '[M2] a job that nobody serves stays pending and says so, and goes to the next who does',
    run: async (scene) => {
      const room = await scene.newRoom()
      const first = await scene.worker([{ room }])
      await scene.submit(room)
      await first.started(await first.assigned.next())
      const waiting = await scene.submit(room)
      expect(await scene.why(room, waiting)).toMatchObject({ status: 'pending', reason: 'all_slots_busy' })

      await first.socket.emitWithAck('extension:unregister', {})
      expect(await scene.why(room, waiting)).toMatchObject({
        status: 'pending',
        reason: 'no_worker',
        ahead: 0,
        estimateMs: null,
      })
      const second = await scene.worker([{ room }])
      expect((await second.assigned.next()).id).toBe(waiting)
    },
  },
  {
    title: '[M3] a worker that finishes is given the next job, in the order they were submitted',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const jobs = await scene.submitMany(room, 5)
      const order: string[] = []
      for (const _ of jobs) {
        const job = await worker.assigned.next()
        order.push(job.id)
        expect(await worker.started(job)).toBe('running')
        expect(worker.assigned.all).toHaveLength(order.length)
        expect(await worker.completed(job, { n: order.length })).toBe('completed')
      }
      expect(order).toEqual(jobs)
    },
  },
  {
    title: '[M4] ten workers in two processes race for fifty jobs, and each job runs exactly once',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ledger = await scene.ledger()
      const ear = await scene.ear(room)
      const task = {
        ledger: ledger.file,
        count: 5,
        extensions: [{ room, category: 'modifiers', name: 'Relax' }],
      }
      await Promise.all([scene.process(task), scene.process(task)])
      const jobs = await scene.submitMany(room, 50)
      await ear.states.until((all) => all.filter(({ status }) => status === 'completed').length === 50)
      expect(ledger.jobs().toSorted()).toEqual(jobs.toSorted())
      expect(new Set(ledger.entries().map(({ worker }) => worker)).size).toBeGreaterThan(1)
    },
  },
  {
    title: '[M4] of a hundred concurrent submits none is lost and none runs twice',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ledger = await scene.ledger()
      const ear = await scene.ear(room)
      const extensions = [{ room, category: 'modifiers', name: 'Relax' }]
      await scene.process({ ledger: ledger.file, count: 3, slots: 2, extensions })
      const jobs = await Promise.all(Array.from({ length: 100 }, (_, n) => scene.submit(room, { n })))
      expect(new Set(jobs).size).toBe(100)
      await ear.states.until((all) => all.filter(({ status }) => status === 'completed').length === 100)
      expect(ledger.jobs().toSorted()).toEqual(jobs.toSorted())
    },
  },
  {
    title: '[M5] rooms and extensions take turns at a worker with one slot, and none of them starves',
    run: async (scene) => {
      const rooms = [await scene.newRoom(), await scene.newRoom()]
      const ledger = await scene.ledger()
      const names = ['Relax', 'Rotate']
      const extensions = names.map((name) => ({ room: rooms, category: 'modifiers', name }))
      await scene.process({ ledger: ledger.file, extensions })
      const held = await scene.submit(rooms[0] ?? '', { do: 'hold' })
      const ears = await Promise.all(rooms.map((room) => scene.ear(room)))
      // The first queue is long before the others have anything: a line in order of arrival would be emptied first.
      for (const room of rooms) for (const name of names) await scene.submitMany(room, 10, name)
      await scene.admin.expect(202, 'POST', `/api/rooms/${rooms[0]}/jobs/${held}/cancel`)
      for (const ear of ears)
        await ear.states.until((all) => all.filter(({ status }) => status === 'completed').length === 20)

      const runs = ledger.entries().slice(1)
      expect(runs).toHaveLength(40)
      const half = runs.slice(0, 20)
      for (const room of rooms) {
        for (const name of names) {
          const mine = (one: (typeof runs)[number]): boolean => one.room === room && one.extension === name
          expect(runs.findIndex(mine)).toBeLessThan(8)
          expect(half.filter(mine).length).toBeGreaterThanOrEqual(4)
          expect(half.filter(mine).length).toBeLessThanOrEqual(6)
        }
      }
    },
  },
  {
    title: '[M6] a job of a global extension acts in its own room only, whatever its worker says',
    run: async (scene) => {
      const [a, b] = [await scene.newRoom(), await scene.newRoom()]
      const name = scene.newName('Global')
      const worker = await scene.worker([{ scope: 'global', name }])
      const [inA, inB] = [await scene.ear(a), await scene.ear(b)]
      const id = await scene.submit(b, { n: 7 }, { extension: name })
      const job = await worker.assigned.next()
      expect(job).toMatchObject({ id, room: b, scope: 'global' })

      const astray = { ...job, room: a }
      expect(await worker.started(astray)).toBe('job_not_found')
      expect(await worker.log(astray, 'in the wrong room')).toBe('job_not_found')
      expect(await worker.completed(astray, { stolen: true })).toBe('job_not_found')
      const status = { token: job.token, status: 'completed', result: { stolen: true } }
      await scene.admin.refused(404, 'PUT', `/api/rooms/${a}/jobs/${id}/status`, status)

      await worker.started(job)
      await worker.log(job, 'a line')
      expect(await worker.completed(job, { n: 7 })).toBe('completed')
      await inB.reached(id, 'completed')
      expect(await scene.job(b, id)).toMatchObject({ result: { n: 7 } })
      const { lines } = await scene.admin.get<{ lines: { text: string }[] }>(
        `/api/rooms/${b}/jobs/${id}/logs`,
      )
      expect(lines.map(({ text }) => text)).toEqual(['a line'])
      for (const part of ['', '/logs', '/events', '/why'])
        await scene.admin.refused(404, 'GET', `/api/rooms/${a}/jobs/${id}${part}`)
      expect(inA.states.all).toEqual([])
      expect(refOf(job).room).toBe(b)
    },
  },
  {
    title: '[M6] a report about an attempt of another user is refused, though the token be right',
    run: async (scene) => {
      const room = await scene.newRoom()
      const [mine, other] = [await scene.worker([{ room }]), await scene.user()]
      const id = await scene.submit(room)
      const job = await mine.assigned.next()
      const status = { token: job.token, status: 'completed' }
      const problem = await other.refused(403, 'PUT', `/api/rooms/${room}/jobs/${id}/status`, status)
      expect(problem.code).toBe('worker_not_yours')
      expect((await scene.job(room, id)).status).toBe('assigned' satisfies JobView['status'])
    },
  },
]
