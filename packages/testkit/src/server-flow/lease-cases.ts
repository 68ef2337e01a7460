// Workers that go and come back, and workers that do not: whose jobs are whose meanwhile.

import { expect } from 'vitest'
import type { ClockCase } from './clock-scene.ts'
import { registrationOf } from './worker/raw-worker.ts'

export const leaseCases: readonly ClockCase[] = [
  {
    title: '[M30] a worker that returns within the grace carries on by token, and nobody else got its job',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ear = await scene.ear(room)
      const before = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await before.assigned.next()
      await before.started(job)
      before.close()
      await scene.pass(8_000)
      const other = await scene.worker([{ room }])
      const back = await scene.worker([{ room }], { id: before.id, attempts: [job] })
      expect(back.view).toMatchObject({ resumed: [{ job: id, token: job.token }], dropped: [] })
      await scene.pass(8_000)
      expect(await back.completed(job, { kept: true })).toBe('completed')
      await ear.reached(id, 'completed')
      expect(await scene.job(room, id)).toMatchObject({
        result: { kept: true },
        attempts: [{ worker: before.id }],
      })
      expect(other.assigned.all).toEqual([])
    },
  },
  {
    title: '[M30] a worker that returns is told of the cancel that it could not hear while it was away',
    run: async (scene) => {
      const room = await scene.newRoom()
      const before = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await before.assigned.next()
      await before.started(job)
      const away = await scene.watchWorker(before.id, 'away')
      before.close()
      await away.seen
      await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${id}/cancel`)
      const back = await scene.worker([{ room }], { id: before.id, attempts: [job] })
      expect(await back.cancels.next()).toMatchObject({ job: id, token: job.token, how: 'abort' })
    },
  },
  {
    title: '[M31] the job of a worker that was killed goes back when its lease ends, and another finishes it',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ledger = await scene.ledger()
      const ear = await scene.ear(room)
      const extensions = [{ room, category: 'modifiers', name: 'Relax' }]
      const victim = await scene.process({ ledger: ledger.file, id: 'victim', extensions })
      const id = await scene.submit(room, { do: 'hold' })
      await victim.line((line) => line === `holds ${id}`)
      await ear.reached(id, 'running')
      const away = await scene.watchWorker('victim', 'away')
      await victim.kill()
      await away.seen
      const rescuer = await scene.worker([{ room }])
      await scene.pass(8_000)
      expect((await scene.job(room, id)).status).toBe('running')
      await scene.pass(4_000)
      const job = await rescuer.assigned.next()
      expect(job).toMatchObject({ id, charged: 0 })
      await rescuer.completed(job, { rescued: true })
      await ear.reached(id, 'completed')
      const { attempts, result } = await scene.job(room, id)
      expect(attempts).toMatchObject([{ worker: 'victim', outcome: 'worker_lost' }, { worker: rescuer.id }])
      expect(result).toEqual({ rescued: true })
      expect(ledger.jobs()).toEqual([id])
      expect(await scene.admin.get('/api/workers/victim')).toMatchObject({ presence: 'lost', extensions: [] })
    },
  },
  {
    title: '[M70] a worker that stops in order is gone at once, and what it did not finish goes to another',
    run: async (scene) => {
      const room = await scene.newRoom()
      const leaver = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const old = await leaver.assigned.next()
      await leaver.started(old)
      const other = await scene.worker([{ room }])
      await leaver.socket.emitWithAck('extension:unregister', {})
      leaver.close()
      const job = await other.assigned.next()
      expect(job).toMatchObject({ id, charged: 0 })
      expect(await other.completed(job)).toBe('completed')
      while ((await scene.admin.call('GET', `/api/workers/${leaver.id}`)).status !== 404);
    },
  },
  {
    title: '[M70] one that closes its connection and still serves something is waited for',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      const away = await scene.watchWorker(worker.id, 'away')
      worker.close()
      await away.seen
      expect((await scene.job(room, id)).status).toBe('running')
      const back = await scene.worker([{ room }], { id: worker.id, attempts: [job] })
      expect(await back.completed(job)).toBe('completed')
    },
  },
  {
    title: '[M31] where the extension says so, the loss of the worker fails the job',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room, policy: { job: { onWorkerLost: 'fail' } } }])
      const [assigned, running] = [await scene.submit(room), await scene.submit(room)]
      await worker.started(await worker.assigned.next())
      worker.close()
      await scene.pass(16_000)
      expect(await scene.job(room, assigned)).toMatchObject({
        status: 'failed',
        error: { message: 'Worker disconnected' },
      })
      expect((await scene.job(room, running)).status).toBe('pending')
    },
  },
  {
    title:
      '[M32] a worker that is restarted under its id and knows nothing of its attempt gives it back at once',
    run: async (scene) => {
      const room = await scene.newRoom()
      const before = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const old = await before.assigned.next()
      await before.started(old)
      before.close()
      const after = await scene.worker([{ room }], { id: before.id })
      const job = await after.assigned.next()
      expect(job).toMatchObject({ id, charged: 0 })
      expect(job.token).not.toBe(old.token)
      expect(await after.completed(job)).toBe('completed')
      expect((await scene.job(room, id)).attempts).toMatchObject([
        { outcome: 'worker_lost' },
        { worker: before.id },
      ])
    },
  },
  {
    title:
      '[M33] a worker that was superseded is told to drop its attempt, and its late completion is refused',
    run: async (scene) => {
      const room = await scene.newRoom()
      const before = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const old = await before.assigned.next()
      await before.started(old)
      before.close()
      await scene.pass(16_000)
      const other = await scene.worker([{ room }])
      const job = await other.assigned.next()
      await other.started(job)
      const back = await scene.worker([{ room }], { id: before.id, attempts: [old] })
      expect(back.view).toMatchObject({ resumed: [], dropped: [{ job: id, token: old.token }] })
      expect(await back.completed(old, { late: true })).toBe('attempt_superseded')
      expect(await back.log(old, 'a late line')).toMatch(/attempt_superseded|worker_not_yours/)
      expect(await other.completed(job, { late: false })).toBe('completed')
      expect(await back.completed(old, { late: true })).toBe('attempt_superseded')
      expect((await scene.job(room, id)).result).toEqual({ late: false })
    },
  },
  {
    title: '[M34] a worker that is connected but does not answer its beats loses its lease',
    run: async (scene) => {
      const room = await scene.newRoom()
      const deaf = await scene.worker([{ room }])
      const id = await scene.submit(room)
      await deaf.started(await deaf.assigned.next())
      deaf.socket.off('worker:beat')
      await scene.pass(20_000)
      expect(await scene.job(room, id)).toMatchObject({ status: 'pending' })
      expect(await scene.admin.get(`/api/workers/${deaf.id}`)).toMatchObject({
        presence: 'lost',
        healthy: false,
      })
    },
  },
  {
    title: '[M34] a worker that answers its beats keeps its job for as long as it runs',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      worker.running = [job]
      for (let beats = 1; beats <= 8; beats++) {
        await scene.jump(5_000)
        await worker.beats.until((all) => all.length >= beats)
        await scene.workerHeard(worker.id)
      }
      expect(await scene.job(room, id)).toMatchObject({ status: 'running' })
      expect(await worker.completed(job)).toBe('completed')
    },
  },
  {
    title: '[M34] after a standstill of the server nobody is declared lost before a full grace has passed',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      await worker.started(job)
      worker.close()
      await scene.jump(60_000)
      expect((await scene.job(room, id)).status).toBe('running')
      const back = await scene.worker([{ room }], { id: worker.id, attempts: [job] })
      expect(back.view?.resumed).toHaveLength(1)
    },
  },
  {
    title: '[M34] a pull worker keeps its lease by its beats and by its reports, and loses it without',
    run: async (scene) => {
      const room = await scene.newRoom()
      const body = registrationOf({ id: 'puller' }, [{ room }])
      await scene.admin.expect(200, 'POST', '/api/workers/register', body)
      const id = await scene.submit(room)
      const question = { worker: 'puller', waitMs: 5_000 }
      const job = await scene.admin.expect<{ token: string }>(200, 'POST', '/api/jobs/next', question)
      const path = `/api/rooms/${room}/jobs/${id}/status`
      for (let n = 1; n <= 4; n++) {
        await scene.pass(8_000)
        await scene.admin.expect(200, 'PUT', path, { token: job.token, status: 'running', progress: n / 10 })
        await scene.workerHeard('puller')
        await scene.pass(8_000)
        const beat = { running: [{ room, job: id, token: job.token }], free: 0 }
        await scene.admin.expect(200, 'POST', '/api/workers/puller/beat', beat)
      }
      expect((await scene.job(room, id)).status).toBe('running')
      await scene.pass(20_000)
      expect((await scene.job(room, id)).status).toBe('pending')
    },
  },
  {
    title: '[M22] a socket is cut when its token expires',
    run: async (scene) => {
      const room = await scene.newRoom()
      const made = await scene.admin.expect<{ token: string }>(201, 'POST', '/api/tokens', {
        room,
        expiresInSeconds: 60,
      })
      const limited = scene.withToken(made.token, 'root')
      const [short, long] = [await scene.ear(room, limited), await scene.ear(room)]
      await scene.jump(59_000)
      expect(short.socket.connected).toBe(true)
      await scene.jump(1_000)
      await short.cut()
      await limited.refused(401, 'GET', `/api/rooms/${room}`)
      expect(long.socket.connected).toBe(true)
    },
  },
]
