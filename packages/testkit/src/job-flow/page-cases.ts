// The pages that screens ask for: filters, cursors, bounds in time, search in data, and across rooms.

import type { UserName } from '@millrace/domain'
import { type JobsQuery, lookAtMost } from '@millrace/server'
import { expect } from 'vitest'
import { idOf, type JobCase } from './job-scene.ts'

export const pageCases: readonly JobCase[] = [
  {
    title: '[J51] pages answer by status, extension and user, with cursors that miss nothing',
    run: async (scene) => {
      const room = scene.newRoom()
      const bob = 'bob' as UserName
      const all = Array.from({ length: 30 }, (_, n) =>
        scene.submission(room, {
          ...(n % 3 === 0 && { submitter: bob }),
          ...(n % 5 === 0 && { extension: 'Rotate' }),
        }),
      )
      await scene.submitted(room, ...all)
      await scene.finished(room, await scene.claimed(room, 6))

      const ids = async (filter: JobsQuery['filter']) =>
        (await scene.page(room, { filter, order: 'oldest' })).jobs.map(idOf)
      expect(await ids({ submitter: 'bob' })).toEqual(
        all.filter(({ submitter }) => submitter === bob).map((s) => s.id),
      )
      expect(await ids({ category: 'modifiers', extension: 'Rotate' })).toEqual(
        all.filter(({ extension }) => extension === 'Rotate').map((s) => s.id),
      )
      expect(await ids({ statuses: ['completed'] })).toHaveLength(6)
      expect(await ids({ statuses: ['pending', 'running'] })).toHaveLength(24)

      const walked: string[] = []
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const next = await scene.page(room, { limit: 7, ...(cursor !== undefined && { cursor }) })
        walked.push(...next.jobs.map(idOf))
        cursor = next.cursor
      }
      expect(walked).toEqual(all.map(({ id }) => id).reverse())
    },
  },
  {
    title: '[J55] pages are bounded in time by the instants in the ids',
    run: async (scene) => {
      const room = scene.newRoom()
      const start = scene.store.now() + 1_000_000
      const all = Array.from({ length: 10 }, (_, n) =>
        scene.submission(room, { createdAt: start + n * 1_000 }),
      )
      await scene.submitted(room, ...all)
      const { jobs } = await scene.page(room, { since: start + 2_000, until: start + 5_000, order: 'oldest' })
      expect(jobs.map(idOf)).toEqual(all.slice(2, 5).map(({ id }) => id))
      const newest = await scene.page(room, { since: start + 2_000, until: start + 5_000, limit: 2 })
      expect(newest.jobs.map(idOf)).toEqual([all[4]?.id, all[3]?.id])
    },
  },
  {
    title: '[J52] [J53] data is searched by text and by value',
    run: async (scene) => {
      const room = scene.newRoom()
      await scene.submitted(
        room,
        ...[1, 50, 200].map((steps) => scene.submission(room, { data: { steps, name: `run-${steps}` } })),
      )
      const found = await scene.page(room, {
        filter: { data: [{ pointer: '/steps', is: 'greater', value: 10 }] },
      })
      expect(found.jobs.map((job) => (job.submission.data as { steps: number }).steps)).toEqual([200, 50])
      expect((await scene.page(room, { filter: { text: 'RUN-50' } })).jobs).toHaveLength(1)
    },
  },
  {
    title:
      '[J56] a search that finds little ends after a bound, says how far it looked, and goes on from there',
    run: async (scene) => {
      const room = scene.newRoom()
      const total = lookAtMost + 500
      for (let done = 0; done < total; done += 1_000) {
        const count = Math.min(1_000, total - done)
        const data = { wanted: done === 0 }
        await scene.submitted(room, ...Array.from({ length: count }, () => scene.submission(room, { data })))
      }
      const query = {
        filter: { data: [{ pointer: '/wanted', is: 'equal', value: true }] },
        limit: 2_000,
      } as const
      const first = await scene.page(room, query)
      expect(first.looked).toBe(lookAtMost)
      const rest = await scene.page(room, {
        ...query,
        ...(first.cursor !== undefined && { cursor: first.cursor }),
      })
      expect(first.jobs.length + rest.jobs.length).toBe(1_000)
      expect(rest.cursor).toBeUndefined()
    },
  },
  {
    title: '[S13] jobs of several rooms are listed together in the order of their submits',
    run: async (scene) => {
      const [one, two] = [scene.newRoom(), scene.newRoom()]
      const submissions = [one, two, one, two].map((room) => scene.submission(room))
      for (const each of submissions) await scene.submitted(each.room, each)
      const { jobs } = await scene.page(null, { filter: { statuses: ['pending'] }, limit: 1_000 })
      const own = jobs.filter(({ submission: { room } }) => room === one || room === two).map(idOf)
      expect(own).toEqual(submissions.map(({ id }) => id).reverse())
    },
  },
  {
    title: '[J56] a page without an end or with an instant that is none is refused with a TypeError',
    run: async (scene) => {
      const room = scene.newRoom()
      const asked: Partial<JobsQuery>[] = [{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { since: 0.5 }]
      for (const parts of [...asked, { until: Number.POSITIVE_INFINITY }]) {
        await expect(scene.page(room, parts)).rejects.toThrow(TypeError)
      }
    },
  },
]
