// Errors that are alike, as one: counted with the failure, told to those who may see the room.

import type { ErrorGroup } from '@millrace/protocol'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { FlowCase, FlowScene } from './flow-scene.ts'

async function errors(client: CheckedClient, query = ''): Promise<readonly ErrorGroup[]> {
  return (await client.get<{ errors: ErrorGroup[]; more: boolean }>(`/api/errors${query}`)).errors
}

/** So many jobs that fail for good, each with its message. */
async function failJobs(scene: FlowScene, room: string, ...messages: readonly string[]): Promise<string[]> {
  const worker = await scene.worker([{ room }], { slots: messages.length })
  const ids = await scene.submitMany(room, messages.length)
  for (const [n, id] of ids.entries())
    await worker.failed(await worker.assigned.next((job) => job.id === id), messages[n] ?? '', false)
  worker.close()
  return ids
}

export const errorCases: readonly FlowCase[] = [
  {
    title:
      '[G7] errors that are alike stand as one, with their count, their first and last time and an example',
    run: async (scene) => {
      const room = await scene.newRoom()
      const ids = await failJobs(scene, room, 'frame 1 is missing', 'no memory', 'frame 27 is missing')
      const groups = await errors(scene.admin, `?room=${room}`)
      expect(groups.map(({ pattern, count }) => [pattern, count]).toSorted()).toEqual([
        ['frame <n> is missing', 2],
        ['no memory', 1],
      ])
      const frames = groups.find(({ count }) => count === 2)
      expect(frames).toMatchObject({
        scope: 'room',
        category: 'modifiers',
        extension: 'Relax',
        rooms: [{ room, count: 2 }],
        example: { room, job: ids[2], message: 'frame 27 is missing' },
      })
      const [first, last] = [await scene.job(room, ids[0] ?? ''), await scene.job(room, ids[2] ?? '')]
      expect(frames?.firstAt).toBeGreaterThanOrEqual(first.createdAt)
      expect(frames?.lastAt).toBe(last.endedAt)
      const one = await errors(scene.admin, `?room=${room}&fingerprint=${frames?.fingerprint}`)
      expect(one).toEqual([frames])
      expect(await errors(scene.admin, `?room=${room}&extension=Rotate`)).toEqual([])
      expect(await errors(scene.admin, `?room=${room}&since=${(frames?.lastAt ?? 0) + 60_000}`)).toEqual([])
      expect(await errors(scene.admin, `?room=${room}&limit=1`)).toHaveLength(1)
    },
  },
  {
    title: '[G7] the same error in several rooms is one to whoever may see them all, and less to others',
    run: async (scene) => {
      const [open, hidden] = [await scene.newRoom(), await scene.newRoom('private')]
      const message = `${scene.newName('oddity')} is unlike anything`
      await failJobs(scene, open, message)
      await failJobs(scene, hidden, message, message)
      const [{ fingerprint } = { fingerprint: '' }] = await errors(scene.admin, `?room=${open}`)
      const [seen] = await errors(scene.admin, `?fingerprint=${fingerprint}`)
      expect(seen?.count).toBe(3)
      expect(seen?.rooms.toSorted((a, b) => a.count - b.count)).toEqual([
        { room: open, count: 1 },
        { room: hidden, count: 2 },
      ])
      const stranger = await scene.user()
      const [less] = await errors(stranger, `?fingerprint=${fingerprint}`)
      expect(less).toMatchObject({ count: 1, rooms: [{ room: open, count: 1 }], example: { room: open } })
      expect((await stranger.refused(404, 'GET', `/api/errors?room=${hidden}`)).code).toBe('room_not_found')
    },
  },
  {
    title: '[G6] every failed try counts, a completed job and a cancelled one do not',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const policy = { maxAttempts: 2, backoffBaseMs: 1, backoffCapMs: 1 }
      const id = await scene.submit(room, {}, { policy })
      await worker.failed(await worker.assigned.next(), 'try again')
      await worker.failed(await worker.assigned.next(), 'try again')
      const fine = await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      const unwanted = await scene.submit(room, {}, { notBefore: Date.now() + 3_600_000 })
      await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${unwanted}/cancel`)
      expect(await errors(scene.admin, `?room=${room}`)).toMatchObject([{ count: 2, example: { job: id } }])
      for (const one of [fine, unwanted]) expect(await scene.job(room, one)).not.toHaveProperty('seen')
    },
  },
  {
    title: '[G8] a job that failed says how often its error was seen in its room, and since when',
    run: async (scene) => {
      const room = await scene.newRoom()
      const [first, second] = await failJobs(scene, room, 'step 1 diverged', 'step 2 diverged')
      const elsewhere = await scene.newRoom()
      await failJobs(scene, elsewhere, 'step 3 diverged')
      const { seen, endedAt } = await scene.job(room, first ?? '')
      expect(seen).toMatchObject({ count: 2, firstAt: endedAt })
      expect((await scene.job(room, second ?? '')).seen).toEqual(seen)
    },
  },
]
