// Jobs that find a slot free when they are submitted: one change instead of two, and nobody is overtaken by it. Each case
// needs a server of its own: where jobs of others wait a plan may be under way, and no submit waits for its end.

import { expect } from 'vitest'
import type { FlowCase } from './flow-scene.ts'
import type { Batch, RoomEar } from './room-ear.ts'

export const atOnceCases: readonly FlowCase[] = [
  {
    title: '[M68] a job that finds a slot free is assigned by its submit, in one change',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }], { slots: 3 })
      const ear = await scene.ear(room)
      const one = await scene.submit(room)
      const [two, three, four] = await scene.submitMany(room, 3)
      const given = await worker.assigned.take(3)
      expect(given.map(({ id }) => id)).toEqual([one, two, three])
      for (const id of [one, two ?? '', three ?? '']) {
        await ear.reached(id, 'assigned')
        expect(await changesOf(ear, room, id)).toEqual([['pending', 'assigned']])
      }
      expect((await scene.job(room, four ?? '')).status).toBe('pending')
      expect(await scene.why(room, four ?? '')).toMatchObject({ reason: 'all_slots_busy', ahead: 0 })
      for (const job of given) expect(await worker.completed(job)).toBe('completed')
      expect((await worker.assigned.next()).id).toBe(four)
    },
  },
  {
    title: '[M68] where a room or an extension has a limit, jobs go through their queue, and it holds',
    run: async (scene) => {
      const [room, other] = [await scene.newRoom(), await scene.newRoom()]
      await scene.admin.expect(200, 'PATCH', `/api/rooms/${room}`, { limit: 1 })
      const offers = [{ room }, { room: other, policy: { maxRunning: 1 } }]
      const worker = await scene.worker(offers, { slots: 4 })
      for (const place of [room, other]) {
        const ear = await scene.ear(place)
        const [first, second] = [await scene.submit(place), await scene.submit(place)]
        const job = await worker.assigned.next()
        expect(job.id).toBe(first)
        await ear.reached(first, 'assigned')
        expect(await changesOf(ear, place, first)).toEqual([['pending'], ['assigned']])
        expect((await scene.job(place, second)).status).toBe('pending')
        await worker.completed(job)
        expect((await worker.assigned.next()).id).toBe(second)
      }
    },
  },
  {
    title: '[M68] a job that is submitted while others of its kind wait goes behind them',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const submitted = [await scene.submit(room), await scene.submit(room)]
      const first = await worker.assigned.next()
      for (let n = 0; n < 10; n++) {
        const job = n === 0 ? first : await worker.assigned.next()
        const [id] = await Promise.all([scene.submit(room), worker.completed(job)])
        submitted.push(id)
      }
      await worker.completed(await worker.assigned.next())
      await worker.assigned.next()
      expect(worker.assigned.all.map(({ id }) => id)).toEqual(submitted)
    },
  },
]

/** What was told of a job, by the changes that it was committed with. */
async function changesOf(ear: RoomEar, room: string, job: string): Promise<readonly (readonly unknown[])[]> {
  const told = ({ events }: Batch) => events.filter(({ id }) => id === job).map(({ status }) => status)
  return ear
    .batches(room)
    .map(told)
    .filter((statuses) => statuses.length > 0)
}
