// What happens to jobs by themselves while time goes by: deadlines, retries, delays, and the end of their keeping.

import { randomUUID } from 'node:crypto'
import { jobOfRecord, removeExpired } from '@millrace/server'
import { expect } from 'vitest'
import { tell } from './checked-client.ts'
import type { ClockCase } from './clock-scene.ts'
import { registrationOf } from './worker/raw-worker.ts'

const keyOf = (id: string): string => `job/${id}`
const noBackoff = { backoffBaseMs: 0 }

export const deadlineCases: readonly ClockCase[] = [
  {
    title: '[M23] a job runs from the moment its worker accepts it, and its times are those of the store',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const createdAt = scene.now
      const id = await scene.submit(room)
      const job = await worker.assigned.next()
      expect(job.acceptBy).toBe(createdAt + 10_000)
      await scene.jump(2_000)
      expect(await worker.started(job)).toBe('running')
      await scene.jump(3_000)
      expect(await worker.completed(job, { n: 1 })).toBe('completed')
      const times = { createdAt, waitMs: 2_000, runMs: 3_000, endedAt: createdAt + 5_000 }
      expect(await scene.job(room, id)).toMatchObject({ ...times, status: 'completed', charged: 0 })
    },
  },
  {
    title: '[M23] a rejected job goes back uncharged and after its backoff to another worker',
    run: async (scene) => {
      const room = await scene.newRoom()
      const first = await scene.worker([{ room, policy: { job: { backoffBaseMs: 1_000 } } }])
      const id = await scene.submit(room)
      expect(await first.rejected(await first.assigned.next(), 'no licence')).toBe('pending')
      await first.socket.emitWithAck('extension:unregister', {})
      const second = await scene.worker([{ room, policy: { job: { backoffBaseMs: 1_000 } } }])
      await scene.jump(2_001)
      expect((await second.assigned.next()).charged).toBe(0)
      const { attempts } = await scene.job(room, id)
      expect(attempts).toMatchObject([{ worker: first.id, outcome: 'rejected' }, { worker: second.id }])
    },
  },
  {
    title:
      '[M24] a job that is not accepted in time is taken back, uncharged, and the late worker is refused',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room, policy: { job: { acceptMs: 1_000 } } }])
      const ear = await scene.ear(room)
      const id = await scene.submit(room)
      const late = await worker.assigned.next()
      await scene.jump(999)
      expect((await scene.job(room, id)).status).toBe('assigned')
      await scene.jump(1)
      const again = await worker.assigned.next()
      expect(again).toMatchObject({ id, charged: 0 })
      expect(again.token).not.toBe(late.token)
      expect(await worker.cancels.next()).toMatchObject({ job: id, token: late.token })
      expect(await worker.started(late)).toBe('attempt_superseded')
      expect(await worker.completed(late, { late: true })).toBe('attempt_superseded')
      const status = { token: late.token, status: 'completed', result: { late: true } }
      await scene.admin.refused(409, 'PUT', `/api/rooms/${room}/jobs/${id}/status`, status)
      expect(await worker.completed(again, { late: false })).toBe('completed')
      expect(await scene.job(room, id)).toMatchObject({ result: { late: false }, charged: 0 })
      await ear.reached(id, 'completed')
      expect(ear.pathOf(id)).toEqual(['pending', 'assigned', 'pending', 'assigned', 'completed'])
    },
  },
  {
    title: '[M25] a job that runs too long is killed and tried again, and its error names the limit',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const id = await scene.submit(room, {}, { policy: { runLimitMs: 1_000, maxAttempts: 2, ...noBackoff } })
      const first = await worker.assigned.next()
      expect(first.runLimitMs).toBe(1_000)
      await worker.started(first)
      await scene.jump(1_000)
      expect(await worker.cancels.next()).toMatchObject({ job: id, token: first.token, how: 'kill' })
      const second = await worker.assigned.next()
      expect(second).toMatchObject({ id, charged: 1 })
      await worker.started(second)
      await scene.jump(1_000)
      expect(await scene.job(room, id)).toMatchObject({ status: 'failed', deadLetter: true, charged: 2 })
      expect((await scene.job(room, id)).error?.message).toContain('1000 ms')
    },
  },
  {
    title:
      '[M26] a failed job waits for its backoff, says so, and is a dead letter when its attempts are spent',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const policy = { maxAttempts: 2, backoffBaseMs: 4_000, backoffCapMs: 4_000 }
      const id = await scene.submit(room, {}, { policy })
      expect(await worker.failed(await worker.assigned.next(), 'no licence')).toBe('pending')
      const { retryAt = 0 } = await scene.job(room, id)
      expect(retryAt - scene.now).toBeLessThanOrEqual(4_000)
      if (retryAt > scene.now)
        expect(await scene.why(room, id)).toMatchObject({ reason: 'retry_backoff', ahead: null })
      await scene.jump(4_000)
      const second = await worker.assigned.next()
      expect(second).toMatchObject({ id, charged: 1 })
      expect(await worker.failed(second, 'still no licence')).toBe('failed')
      expect(await scene.job(room, id)).toMatchObject({
        deadLetter: true,
        error: { message: 'still no licence' },
        attempts: [{ outcome: 'failed_retryable' }, { outcome: 'failed_retryable' }],
      })
      const path = `/api/rooms/${room}/jobs?deadLetters=true`
      expect(await scene.admin.get(path)).toMatchObject({ jobs: [{ id, status: 'failed' }] })
    },
  },
  {
    title: '[M26] a fatal failure is not tried again',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ledger = await scene.ledger()
      const ear = await scene.ear(room)
      await scene.process({
        ledger: ledger.file,
        extensions: [{ room, category: 'modifiers', name: 'Relax' }],
      })
      const id = await scene.submit(room, { do: 'fail-fatally' })
      await ear.reached(id, 'failed')
      await scene.pass(8_000)
      expect(ledger.jobs()).toEqual([id])
      expect(await scene.job(room, id)).toMatchObject({
        deadLetter: true,
        error: { message: 'it never will' },
      })
    },
  },
  {
    title: '[M27] a delayed job waits for its instant, says so, and is then taken at once',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const notBefore = scene.now + 3_000
      const id = await scene.submit(room, {}, { notBefore })
      const other = await scene.submit(room)
      const first = await worker.assigned.next()
      expect(first.id).toBe(other)
      await worker.completed(first)
      expect(await scene.why(room, id)).toMatchObject({
        reason: 'not_before',
        details: { until: notBefore },
        estimateMs: 3_000,
      })
      await scene.jump(2_999)
      expect((await scene.job(room, id)).status).toBe('pending')
      await scene.jump(1)
      expect((await worker.assigned.next()).id).toBe(id)
    },
  },
  {
    title: '[M27] a job that nobody has taken by its instant fails',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      await scene.submit(room)
      await worker.started(await worker.assigned.next())
      const id = await scene.submit(room, {}, { runBy: scene.now + 1_000 })
      await scene.jump(1_000)
      expect(await scene.job(room, id)).toMatchObject({ status: 'failed', error: { name: 'run_by_passed' } })
    },
  },
  {
    title: '[M28] an ended job is kept for its retention and goes with its result, its log and its key',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const options = { policy: { retentionMs: 60_000 }, idempotencyKey: 'once' }
      const id = await scene.submit(room, { n: 1 }, options)
      const job = await worker.assigned.next()
      await worker.started(job)
      await worker.log(job, 'a line')
      await worker.completed(job, { n: 1 })
      await scene.jump(59_999)
      expect((await scene.job(room, id)).result).toEqual({ n: 1 })
      await scene.jump(1)
      for (const part of ['', '/logs', '/events', '/why'])
        await scene.admin.refused(404, 'GET', `/api/rooms/${room}/jobs/${id}${part}`)
      expect(await scene.admin.get(`/api/rooms/${room}/jobs`)).toMatchObject({ jobs: [] })
      expect(await scene.server.store.read(room, [`result/${id}`, `log/${id}/0`])).toEqual([null, null])
      expect(await scene.submit(room, { n: 2 }, options)).not.toBe(id)
    },
  },
  {
    title: '[M28] jobs of a room that expire together go together, but for one that changed in that moment',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 120 })
      const ids = await scene.submitMany(room, 120)
      const jobs = await worker.assigned.take(120)
      const done = jobs.map(({ id: job, token }) => ({ room, job, token, started: true, result: {} }))
      await tell(worker.socket, 'job:completed', done)
      const { store } = scene.server
      const records = await store.read(room, ids.map(keyOf))
      const [changed = ''] = ids
      const kept = records.flatMap((record) => (record ? [{ record, job: jobOfRecord(record) }] : []))
      expect(kept).toHaveLength(120)
      await store.commit({
        id: randomUUID(),
        partition: room,
        put: kept
          .slice(0, 1)
          .map(({ record: { key, version, head, body } }) => ({ key, expect: version, head, body })),
      })
      const tomorrow = scene.now + 86_400_000
      await removeExpired({ now: () => tomorrow, commit: (change) => store.commit(change) }, room, kept)
      const left = (await store.read(room, ids.map(keyOf))).flatMap((record) => record?.key ?? [])
      expect(left).toEqual([keyOf(changed)])
    },
  },
  {
    title:
      '[M29] a pending job is cancelled at once, a running one by its worker, and without it after the grace',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const [obeys, ignores, waits] = await scene.submitMany(room, 3)
      const cancel = (id = ''): Promise<{ status: string }> =>
        scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${id}/cancel`)
      expect((await cancel(waits)).status).toBe('cancelled')

      const first = await worker.assigned.next()
      await worker.started(first)
      expect((await cancel(obeys)).status).toBe('running')
      expect(await worker.cancels.next()).toMatchObject({ job: obeys, how: 'abort' })
      const stopped = { room, job: first.id, token: first.token, stage: 'stopped' }
      await worker.socket.emitWithAck('job:stopped', [stopped])
      expect(await scene.job(room, obeys ?? '')).toMatchObject({
        status: 'cancelled',
        cancel: { stage: 'stopped' },
      })

      const second = await worker.assigned.next()
      await worker.started(second)
      await cancel(ignores)
      await worker.cancels.next()
      await scene.jump(5_000)
      expect(await worker.cancels.next()).toMatchObject({ job: ignores, how: 'kill' })
      expect(await scene.job(room, ignores ?? '')).toMatchObject({ status: 'cancelled' })
      expect(await worker.completed(second)).not.toBe('completed')
    },
  },
  {
    title: '[M29] a worker that pulls is told of a cancel when it beats',
    run: async (scene) => {
      const room = await scene.newRoom()
      const body = registrationOf({ id: 'puller' }, [{ room }])
      await scene.admin.expect(200, 'POST', '/api/workers/register', body)
      const id = await scene.submit(room)
      const { token } = await scene.admin.expect<{ token: string }>(200, 'POST', '/api/jobs/next', {
        worker: 'puller',
        waitMs: 5_000,
      })
      const path = `/api/rooms/${room}/jobs/${id}`
      await scene.admin.expect(200, 'PUT', `${path}/status`, { token, status: 'running' })
      const attempt = { room, job: id, token }
      const beat = (): Promise<{ dropped: unknown[] }> =>
        scene.admin.expect(200, 'POST', '/api/workers/puller/beat', { running: [attempt], free: 0 })
      expect((await beat()).dropped).toEqual([])
      await scene.admin.expect(202, 'POST', `${path}/cancel`)
      expect((await beat()).dropped).toEqual([attempt])
      await scene.jump(5_000)
      expect(await scene.job(room, id)).toMatchObject({ status: 'cancelled' })
    },
  },
]
