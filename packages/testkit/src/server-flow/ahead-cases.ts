// Jobs handed to a worker before it has a slot for them: only where runs were measured to take no time, which on a clock
// that stands still they do.

import type { AssignedJob } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowScene } from './flow-scene.ts'
import type { PoolCase, PoolScene } from './pool-scene.ts'
import type { RawWorker } from './worker/raw-worker.ts'

/** So many runs have to be seen. */
const enough = 20
const slow = { name: 'Slow' } as const

export const aheadCases: readonly PoolCase[] = [
  {
    title:
      '[M140] quick jobs are handed over beyond the slots, and one of another room has its place beside them',
    run: async ({ flow }) => {
      const [room, other] = [await flow.newRoom(), await flow.newRoom()]
      const worker = await flow.worker([{ room }, { room: other }], { slots: 2, ahead: 4 })
      for (const place of [room, other]) await runQuickly(flow, worker, place)
      const jobs = await flow.submitMany(room, 9)
      const given = await worker.assigned.take(4)
      expect(given.map(({ id }) => id)).toEqual(jobs.slice(0, 4))
      expect(await flow.why(room, jobs[4] ?? '')).toMatchObject({ reason: 'all_slots_busy', ahead: 0 })
      expect(await freeSlots(flow, worker)).toBe(0)

      const beside = await flow.submit(other)
      expect((await worker.assigned.next()).id).toBe(beside)
      for (const job of given) expect(await worker.completed(job)).toBe('completed')
      const next = await worker.assigned.take(4)
      expect(next.map(({ id }) => id)).toEqual(jobs.slice(4, 8))
    },
  },
  {
    title: '[M140] of jobs whose runs take milliseconds fewer are handed over than of those that take none',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const worker = await flow.worker([{ room }], { slots: 1, ahead: 30 })
      await runQuickly(flow, worker, room)
      const instant = await flow.submitMany(room, 20)
      const given = await worker.assigned.take(16)
      expect(given.map(({ id }) => id)).toEqual(instant.slice(0, 16))
      for (const job of given) await worker.completed(job)
      for (const job of await worker.assigned.take(4)) await worker.completed(job)

      for (let n = 0; n < 3; n++) await runFor(scene, worker, await flow.submit(room), 5)
      const quick = await flow.submitMany(room, 9)
      const fewer = await worker.assigned.take(4)
      expect(fewer.map(({ id }) => id)).toEqual(quick.slice(0, 4))
      expect(await flow.why(room, quick[4] ?? '')).toMatchObject({ reason: 'all_slots_busy', ahead: 0 })
    },
  },
  {
    title: '[M141] behind a job that may take long nothing is handed over early',
    run: async ({ flow }) => {
      const room = await flow.newRoom()
      const worker = await flow.worker([{ room }, { room, ...slow }], { slots: 2, ahead: 4 })
      await runQuickly(flow, worker, room)
      await flow.submit(room, {}, { category: 'modifiers', extension: 'Slow' })
      const long = await worker.assigned.next()
      const jobs = await flow.submitMany(room, 3)
      const only = await worker.assigned.next()
      expect(only.id).toBe(jobs[0])
      expect(await flow.why(room, jobs[1] ?? '')).toMatchObject({ reason: 'all_slots_busy' })
      await worker.completed(long)
      expect((await worker.assigned.take(2)).map(({ id }) => id)).toEqual(jobs.slice(1))
    },
  },
  {
    title: '[M141] an extension whose runs have become longer is handed over as before',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const worker = await flow.worker([{ room }], { slots: 1, ahead: 4 })
      await runQuickly(flow, worker, room)
      for (let n = 0; n < 2; n++) await runFor(scene, worker, await flow.submit(room), 50)
      const jobs = await flow.submitMany(room, 2)
      expect((await worker.assigned.next()).id).toBe(jobs[0])
      expect(await flow.why(room, jobs[1] ?? '')).toMatchObject({ reason: 'all_slots_busy' })
    },
  },
  {
    title:
      '[M142] what it holds ahead it carries on with after a reconnect, and what it sends back is given again',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const offer = { room, policy: { job: { backoffBaseMs: 1_000 } } }
      const options = { id: `w-${room}`, slots: 1, ahead: 2 }
      const worker = await flow.worker([offer], options)
      await runQuickly(flow, worker, room)
      await flow.submitMany(room, 2)
      const [first, second] = (await worker.assigned.take(2)) as [AssignedJob, AssignedJob]
      worker.socket.disconnect()
      const back = await flow.worker([offer], { ...options, attempts: [first, second] })
      expect(back.view?.resumed.map(({ job }) => job)).toEqual([first.id, second.id])
      await back.rejected(second, 'the job before it takes longer than expected')
      await scene.pass(2_001)
      const again = await back.assigned.next()
      expect(again.id).toBe(second.id)
      expect(await flow.job(room, second.id)).toMatchObject({ status: 'assigned', charged: 0 })
      for (const job of [first, again]) expect(await back.completed(job)).toBe('completed')
    },
  },
]

async function runQuickly(flow: FlowScene, worker: RawWorker, room: string): Promise<void> {
  for (let n = 0; n < enough; n++) {
    await flow.submit(room)
    await worker.completed(await worker.assigned.next())
  }
}

async function runFor(scene: PoolScene, worker: RawWorker, id: string, ms: number): Promise<void> {
  const job = await worker.assigned.next()
  expect(job.id).toBe(id)
  await worker.started(job)
  await scene.pass(ms)
  await worker.completed(job)
}

async function freeSlots(flow: FlowScene, { id }: RawWorker): Promise<number> {
  const { free } = await flow.admin.expect<{ free: { slots: number } }>(200, 'GET', `/api/workers/${id}`)
  return free.slots
}
