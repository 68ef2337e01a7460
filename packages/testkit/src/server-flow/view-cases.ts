// What screens and operators ask: figures, pages, places in the queue, and the server about itself.

import { type ExtensionStats, type JobsPage, type Route, routes, type WorkerView } from '@millrace/protocol'
import { expect } from 'vitest'
import type { FlowCase, FlowScene } from './flow-scene.ts'
import { expectOpenApi, type OpenApi } from './open-api-check.ts'

export const viewCases: readonly FlowCase[] = [
  {
    title:
      '[M35] the figures of an extension count what waits, runs and ended in a room, and how long it took',
    run: async (scene) => {
      const [room, other] = [await scene.newRoom(), await scene.newRoom()]
      const worker = await scene.worker([{ room }, { room: other }], { slots: 2 })
      const [done, failed] = await scene.submitMany(room, 5)
      await worker.completed(await worker.assigned.next(({ id }) => id === done))
      await worker.failed(await worker.assigned.next(({ id }) => id === failed), 'no', false)
      const running = await worker.assigned.take(2)
      for (const job of running) await worker.started(job)
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/stats`
      const stats = await scene.admin.get<ExtensionStats>(path)
      expect(stats).toMatchObject({
        workers: 1,
        freeSlots: 0,
        pending: 1,
        running: 2,
        completed: 1,
        failed: 1,
      })
      expect(stats.waitMsP50).not.toBeNull()
      expect(stats.runMsP95).not.toBeNull()

      type Overview = { extensions: (ExtensionStats & { room: string | null })[] }
      const { extensions } = await scene.admin.get<Overview>('/api/extensions/overview')
      expect(extensions.find((one) => one.room === room)).toEqual({ ...stats, room })
      expect(extensions.find((one) => one.room === other)).toMatchObject({
        pending: 0,
        completed: 0,
        runMsP50: null,
      })
      const mine = await scene.admin.get<WorkerView>(`/api/workers/${worker.id}`)
      expect(mine).toMatchObject({ running: 2, free: { slots: 0 }, presence: 'connected', channel: 'push' })
    },
  },
  {
    title: '[G15] a worker says what it runs in rooms that the caller may read, and nothing of others',
    run: async (scene) => {
      const [room, secret] = [await scene.newRoom(), await scene.newRoom('private')]
      const worker = await scene.worker([{ room }, { room: secret }], { slots: 2 })
      const ids = [await scene.submit(room), await scene.submit(secret)]
      for (const job of await worker.assigned.take(2)) await worker.started(job)
      const path = `/api/workers/${worker.id}`
      const { jobs, vitals } = await scene.admin.get<WorkerView>(path)
      expect(new Set(jobs)).toEqual(
        new Set([
          { room, id: ids[0] },
          { room: secret, id: ids[1] },
        ]),
      )
      expect(vitals).toBeNull()
      const stranger = await scene.user()
      expect(await stranger.get<WorkerView>(path)).toMatchObject({ running: 2, jobs: [{ room, id: ids[0] }] })
    },
  },
  {
    title: '[M36] jobs are listed by status, extension, user, time and text, in pages that miss nothing',
    run: async (scene) => {
      const room = await scene.newRoom()
      const user = await scene.user()
      const worker = await scene.worker([{ room }, { room, name: 'Rotate' }], { slots: 2 })
      const relaxed = await scene.submitMany(room, 6)
      const rotated = await scene.submit(room, { note: 'Around THE axis' }, { extension: 'Rotate' }, user)
      const taken = await worker.assigned.take(2)
      for (const job of taken) await worker.completed(job, { n: 1 })
      const page = (query: string): Promise<JobsPage> =>
        scene.admin.get<JobsPage>(`/api/rooms/${room}/jobs?${query}`)
      const ids = async (query: string): Promise<string[]> => (await page(query)).jobs.map(({ id }) => id)
      const all = [...relaxed, rotated]
      expect(await ids('')).toEqual(all.toReversed())
      expect(await ids('order=oldest')).toEqual(all)
      expect((await ids('status=completed')).toSorted()).toEqual(taken.map(({ id }) => id).toSorted())
      expect((await ids('status=pending,assigned,running')).length).toBe(5)
      expect(await ids('category=modifiers&extension=Rotate')).toEqual([rotated])
      expect(await ids(`submitter=${user.user}`)).toEqual([rotated])
      expect(await ids('search=the%20AXIS')).toEqual([rotated])
      const { createdAt } = await scene.job(room, rotated)
      expect(await ids(`since=${createdAt + 1}`)).toEqual([])
      expect(await ids(`until=${createdAt + 1}`)).toHaveLength(7)

      const walked: string[] = []
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const next = await page(
          `limit=3${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        )
        walked.push(...next.jobs.map(({ id }) => id))
        cursor = next.cursor
      }
      expect(walked).toEqual(all.toReversed())
      for (const query of ['status=sleeping', 'limit=0', 'limit=9999', 'cursor=nonsense', 'colour=red'])
        expect((await scene.admin.refused(400, 'GET', `/api/rooms/${room}/jobs?${query}`)).code).toBe(
          'request_invalid',
        )
      const everywhere = await scene.admin.get<JobsPage>(`/api/jobs?submitter=${user.user}`)
      expect(everywhere.jobs.map(({ id }) => id)).toEqual([rotated])
    },
  },
  {
    title: '[M37] a waiting job knows how many are ahead, and about how long it takes once jobs have run',
    run: async (scene) => {
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      const [, , second, third] = await scene.submitMany(room, 4)
      const first = await worker.assigned.next()
      await worker.started(first)
      expect(await scene.why(room, third ?? '')).toMatchObject({
        reason: 'all_slots_busy',
        ahead: 2,
        estimateMs: null,
      })
      await worker.completed(first)
      await worker.started(await worker.assigned.next())
      const why = await scene.why(room, third ?? '')
      expect(why).toMatchObject({ status: 'pending', reason: 'all_slots_busy', ahead: 1 })
      expect(why.estimateMs).toBeGreaterThanOrEqual(0)
      expect((await scene.why(room, second ?? '')).ahead).toBe(0)
      expect(await scene.why(room, first.id)).toMatchObject({
        status: 'completed',
        reason: null,
        ahead: null,
      })

      const urgent = await scene.submit(room, {}, { priority: 10 })
      expect((await scene.why(room, urgent)).ahead).toBe(0)
      expect((await scene.why(room, third ?? '')).ahead).toBe(2)
    },
  },
  {
    title: '[M38] a limit of the room holds and is named as the reason',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.admin.expect(200, 'PATCH', `/api/rooms/${room}`, { limit: 1 })
      const worker = await scene.worker([{ room }], { slots: 5 })
      const [one, two] = await scene.submitMany(room, 2)
      const first = await worker.assigned.next()
      expect(first.id).toBe(one)
      expect(await scene.why(room, two ?? '')).toMatchObject({ reason: 'room_limit', details: { limit: 1 } })
      await worker.completed(first)
      expect((await worker.assigned.next()).id).toBe(two)
    },
  },
  {
    title: '[M39] the server says that it lives, that it is ready, and what an answered submit survives',
    run: async (scene) => {
      expect(await scene.admin.get('/health/live')).toEqual({ status: 'live' })
      const ready = await scene.admin.get<{ status: string; store: { kind: string; durability: string } }>(
        '/health/ready',
      )
      expect(ready.status).toBe('ready')
      expect(['sqlite', 'redis']).toContain(ready.store.kind)
      expect(ready.store.durability.length).toBeGreaterThan(10)
    },
  },
  {
    title: '[M40] the figures for Prometheus count jobs, waits, workers, connections and commits',
    run: async (scene) => {
      const before = await figures(scene)
      const room = await scene.newRoom()
      const worker = await scene.worker([{ room }])
      await scene.submit(room)
      await worker.completed(await worker.assigned.next())
      await scene.submit(room)
      await worker.assigned.next()
      await scene.submit(room)
      const after = await figures(scene)
      const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0)
      expect(grown('millrace_jobs_submitted_total')).toBe(3)
      expect(grown('millrace_jobs_ended_total{status="completed"}')).toBe(1)
      expect(grown('millrace_job_wait_seconds_count')).toBe(1)
      expect(grown('millrace_commit_seconds_count')).toBeGreaterThan(3)
      expect(after.get('millrace_jobs_pending')).toBeGreaterThanOrEqual(1)
      expect(after.get('millrace_jobs_running')).toBeGreaterThanOrEqual(1)
      expect(after.get('millrace_workers')).toBeGreaterThanOrEqual(1)
      expect(after.get('millrace_connections')).toBeGreaterThanOrEqual(1)
      for (const name of ['millrace_placement_pass_seconds_count', 'millrace_event_lag_seconds_count'])
        expect(after.get(name)).toBeGreaterThan(0)
    },
  },
  {
    title: '[M41] the server describes itself in OpenAPI 3.1, with every route of the protocol and no other',
    run: async (scene) => {
      const described = await scene.admin.get<OpenApi>('/openapi.json')
      expectOpenApi(described)
      const told = Object.entries(described.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const known = Object.values(routes).map(({ method, path }: Route) => `${method} ${path}`)
      expect(told.toSorted()).toEqual(known.toSorted())
    },
  },
]

async function figures(scene: FlowScene): Promise<ReadonlyMap<string, number>> {
  const text = await scene.admin.get<string>('/metrics')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}
