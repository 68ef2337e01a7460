// New jobs that come faster than they go, to a server that is a process: they are refused with a time to come back, and
// everything else goes on. Run on each store by the test files beside it.

import type { JobStateChanged, Submitted } from '@millrace/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { type Knock, knock } from './edge-scene.ts'

const roomMaxPending = 400
const bulk = 100

export function describeIntake(name: string, place: () => readonly string[]): void {
  describe(`a server on ${name} that is given more than it can do`, () => {
    let server: ServerProcess
    let scene: FlowScene
    beforeAll(async () => {
      const limits = ['--room-max-pending', String(roomMaxPending), '--registrations-per-minute', '1000']
      server = await startServerProcess(['--data-dir', await makeTempDir('intake'), ...limits, ...place()])
      scene = new FlowScene(server.url, server.admin.token ?? '')
    })
    afterAll(async () => {
      await scene?.close()
      await server?.child.kill()
    })

    const submit = (room: string, jobs: readonly object[]): Promise<Knock> => {
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
      return knock(server.url, 'POST', path, { authorization: `Bearer ${scene.admin.token}` }, { jobs })
    }
    const some = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ data: { n } }))

    it('[M120] a room that is full refuses one more, and takes it when one has gone; other rooms are not full', async () => {
      const [room, other] = [await scene.newRoom(), await scene.newRoom()]
      const worker = await scene.worker([{ room }])
      await scene.worker([{ room: other }])
      await scene.submit(room)
      const job = await worker.assigned.next()
      expect(await submit(room, some(roomMaxPending - 1))).toMatchObject({ status: 201 })
      expect(await submit(room, some(2))).toMatchObject({ status: 429, code: 'queue_full' })
      expect(await submit(room, some(1))).toMatchObject({ status: 201 })
      const refused = await submit(room, some(1))
      expect(refused).toMatchObject({ status: 429, code: 'queue_full', retryAfter: 5 })
      expect(refused.detail).toContain(`${roomMaxPending} (roomMaxPending)`)
      expect(await submit(other, some(1))).toMatchObject({ status: 201 })
      await worker.completed(job)
      const again = { authorization: `Bearer ${scene.admin.token}` }
      await worker.assigned.next()
      expect(await submit(room, some(1))).toMatchObject({ status: 201 })
      const retried = await knock(server.url, 'POST', `/api/rooms/${room}/jobs/${job.id}/retry`, again)
      expect(retried).toMatchObject({ status: 429, code: 'queue_full' })
      worker.close()
    })

    it('[M120] delayed jobs stand in no queue and are counted all the same', async () => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const notBefore = Date.now() + 3_600_000
      const delayed = some(bulk).map((one) => ({ ...one, notBefore }))
      for (let count = 0; count < roomMaxPending; count += bulk)
        expect(await submit(room, delayed)).toMatchObject({ status: 201 })
      expect(await submit(room, delayed.slice(0, 1))).toMatchObject({ status: 429, code: 'queue_full' })
      worker.close()
    })

    it('[M122] however many are refused, reports, beats, cancels and reads are answered, and what was taken in is done', {
      timeout: 90_000,
    }, async () => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 20 })
      const ended = new Set<string>()
      const ear = await scene.ear(room)
      ear.socket.on('job:state_changed', ({ events }: JobStateChanged) => {
        for (const { id, status } of events)
          if (status === 'completed' || status === 'cancelled') ended.add(id)
      })
      const accepted: string[] = []
      const answers = new Map<number, number>()
      let isOver = false
      const flood = Array.from({ length: 3 }, async () => {
        while (!isOver) {
          const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/submit-many`
          const { status, body } = await server.admin.call<{ jobs: Submitted[] }>('POST', path, { jobs: some(bulk) })
          answers.set(status, (answers.get(status) ?? 0) + 1)
          if (status === 201) accepted.push(...body.jobs.map(({ id }) => id))
        }
      })
      await expect.poll(() => (answers.get(429) ?? 0) + (answers.get(503) ?? 0) > 0).toBe(true)
      const beatsBefore = worker.beats.all.length
      let done = 0
      while (done < 150 || worker.beats.all.length === beatsBefore) {
        const job = await worker.assigned.next()
        expect(await worker.completed(job, { done })).toBe('completed')
        done += 1
        if (done % 25 === 0) {
          expect((await scene.job(room, job.id)).status).toBe('completed')
          await scene.admin.get(`/api/rooms/${room}/jobs?limit=10`)
          const [last = ''] = accepted.slice(-1)
          const cancelled = await scene.admin.call('POST', `/api/rooms/${room}/jobs/${last}/cancel`)
          expect([200, 202, 409]).toContain(cancelled.status)
        }
      }
      isOver = true
      await Promise.all(flood)
      expect([...answers.keys()].filter((status) => ![201, 429, 503].includes(status))).toEqual([])
      expect(answers.get(429) ?? 0).toBeGreaterThan(10)
      worker.work()
      await expect.poll(() => accepted.filter((id) => !ended.has(id)), { timeout: 50_000 }).toEqual([])
      worker.close()
    })
  })
}
