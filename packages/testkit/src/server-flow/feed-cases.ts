// What a room hears: every change once, in order, and nothing between the place one joined at and the first event.

import type { JobsPage } from '@millrace/protocol'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import { RoomEar } from './room-ear.ts'
import type { AttemptName, RawWorker } from './worker/raw-worker.ts'

/** Progress is not told where the line is still busy with the event before it, so it is said until all have heard it. */
export async function progressHeard(
  worker: RawWorker,
  job: AttemptName,
  ...ears: readonly RoomEar[]
): Promise<void> {
  const hasHeard = ({ heard }: RoomEar): boolean => heard.all.some(({ event }) => event === 'job:progress')
  while (!ears.every(hasHeard)) await worker.progress(job, 0.25, 'a quarter')
}

/** A job that runs, with one ear in its room and one that joined the job as well. */
async function heardJob(scene: FlowScene) {
  const room = await scene.newRoom()
  const worker = await scene.worker([{ room }])
  const id = await scene.submit(room)
  const job = await worker.assigned.next()
  const [ear, close] = [await scene.ear(room), await scene.ear(room, scene.admin, id)]
  await worker.started(job)
  return { room, worker, id, job, ear, close }
}

export const feedCases: readonly FlowCase[] = [
  {
    title: '[M14] batches follow each other without a gap, whatever they carry and whoever joins in between',
    run: async (scene) => {
      const room = await scene.newRoom()
      const early = await scene.ear(room)
      const worker = await scene.worker([{ room }], { slots: 3 })
      worker.work()
      const jobs = await scene.submitMany(room, 20)
      await early.reached(jobs[4] ?? '', 'completed')
      const late = await scene.ear(room)
      await scene.admin.expect(200, 'PATCH', `/api/rooms/${room}`, { weight: 3 })
      const more = await scene.submitMany(room, 20)
      for (const ear of [early, late]) {
        await ear.states.until((all) => more.every((id) => all.some((one) => one.id === id && isDone(one))))
        expectNoGap(ear, room)
        expect(ear.heard.all.some(({ event }) => event === 'room:changed')).toBe(true)
      }
      expect(early.heard.all.some(({ event }) => event === 'schema:invalidated')).toBe(true)
      expect(late.joined.epoch).toBe(early.joined.epoch)
      expect(late.joined.sequence).not.toBeNull()
      for (const id of [...jobs, ...more])
        expect(early.pathOf(id)).toEqual(['pending', 'assigned', 'completed'])
    },
  },
  {
    title: '[M15] whoever joins while jobs are submitted has each of them in the list or hears of it',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      await scene.submit(room)
      await worker.started(await worker.assigned.next())
      const submits = Array.from({ length: 20 }, (_, n) => scene.submit(room, { n }))
      const ear = await scene.ear(room)
      submits.push(...Array.from({ length: 20 }, (_, n) => scene.submit(room, { n })))
      const listed = await scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs?limit=100`)
      const jobs = await Promise.all(submits)
      const seen = new Set(listed.jobs.map(({ id }) => id))
      await ear.states.until((all) => {
        const heard = new Set(all.map(({ id }) => id))
        return jobs.every((id) => seen.has(id) || heard.has(id))
      })
      expectNoGap(ear, room)
    },
  },
  {
    title:
      '[M16] progress is told to the room and log lines to those who joined the job, both outside the sequence',
    run: async (scene) => {
      const { room, worker, id, job, ear, close } = await heardJob(scene)
      await progressHeard(worker, job, ear)
      await worker.log(job, 'first', 'second')
      await worker.completed(job)
      for (const one of [ear, close]) await one.reached(id, 'completed')
      const told = await ear.heard.next(({ event }) => event === 'job:progress')
      expect(told.payload).toEqual({ room, jobs: [{ id, fraction: 0.25, message: 'a quarter' }] })
      const lines = await close.heard.next(({ event }) => event === 'job:log')
      expect(lines.payload).toMatchObject({
        room,
        id,
        lines: [
          { number: 0, text: 'first' },
          { number: 1, text: 'second' },
        ],
      })
      expect(ear.heard.all.some(({ event }) => event === 'job:log')).toBe(false)
      for (const one of [ear, close]) expectNoGap(one, room)
    },
  },
  {
    title: '[M205] whoever keeps up hears every progress, right behind a line too, and before the next state',
    run: async (scene) => {
      const { worker, id, job, ear, close } = await heardJob(scene)
      const steps = Array.from({ length: 100 }, (_, n) => `step ${n}`)
      for (const [n, step] of steps.entries())
        await Promise.all([worker.log(job, step), worker.progress(job, n / 100, step)])
      await worker.completed(job)
      for (const one of [ear, close]) {
        await one.reached(id, 'completed')
        const heard = one.heard.all.filter(({ event }) => event === 'job:progress')
        const told = heard.flatMap(({ payload }) => (payload as { jobs: { message: string }[] }).jobs)
        expect(told.map(({ message }) => message)).toEqual(steps)
      }
    },
  },
  {
    title: '[M17] a room is heard until one leaves it',
    run: async (scene) => {
      const [room, other] = [await scene.newRoom(), await scene.newRoom()]
      const ear = await scene.ear(room)
      await ear.join(other)
      await ear.socket.emitWithAck('room:leave', { room })
      // Its own coming may have been told by then.
      const whileThere = ear.heard.all.length
      await scene.worker([{ room }, { room: other }])
      await ear.heard.next(({ event, payload }) => event === 'schema:invalidated' && payload.room === other)
      const since = ear.heard.all.slice(whileThere)
      expect(since.filter(({ payload }) => payload.room === room)).toEqual([])
    },
  },
  {
    title:
      '[M18] what belongs to no room is told outside of rooms: global extensions to all, workers to admins',
    run: async (scene) => {
      const user = await scene.user()
      const [mine, theirs] = [await systemEar(scene.admin), await systemEar(user)]
      const name = scene.newName('Global')
      const worker = await scene.worker([{ scope: 'global', name }])
      const isIt = ({ event, payload }: { event: string; payload: unknown }): boolean =>
        event === 'schema:invalidated' && JSON.stringify(payload).includes(name)
      for (const ear of [mine, theirs]) await ear.heard.next(isIt)
      await mine.heard.next(
        ({ event, payload }) =>
          event === 'worker:state_changed' && JSON.stringify(payload).includes(worker.id),
      )
      expect(theirs.heard.all.some(({ event }) => event === 'worker:state_changed')).toBe(false)
    },
  },
]

async function systemEar(client: CheckedClient): Promise<RoomEar> {
  const ear = await RoomEar.open(client)
  await ear.socket.emitWithAck('system:join', {})
  return ear
}

function isDone({ status }: { readonly status: string }): boolean {
  return status === 'completed'
}

/** Every batch begins where the one before ended, the first where the ear joined, and holds what its numbers say. */
function expectNoGap(ear: RoomEar, room: string): void {
  const batches = ear.batches(room)
  expect(batches.length).toBeGreaterThan(0)
  let next = ear.joined.sequence === null ? (batches[0]?.from ?? 0) : ear.joined.sequence + 1
  for (const { from, to, epoch, events } of batches) {
    expect(from).toBe(next)
    expect(epoch).toBe(ear.joined.epoch)
    const numbers = events.map(({ sequence }) => sequence)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.every((number) => number >= from && number <= to)).toBe(true)
    next = to + 1
  }
}
