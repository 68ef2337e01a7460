// How it goes: series, the overview, the configuration, and what a form offers again.

import type { Overview, SeriesPoint } from '@millrace/protocol'
import { expect } from 'vitest'
import type { CheckedClient } from './checked-client.ts'
import type { FlowCase } from './flow-scene.ts'

interface SeriesView {
  readonly stepMs: number
  readonly countedSince: number
  readonly points: readonly SeriesPoint[]
}

const series = (client: CheckedClient, query: string): Promise<SeriesView> =>
  client.get<SeriesView>(`/api/series?${query}`)

function sum(points: readonly SeriesPoint[], name: 'completed' | 'failed' | 'cancelled'): number {
  return points.reduce((total, point) => total + point[name], 0)
}

export const overviewCases: readonly FlowCase[] = [
  {
    title: '[G9] the series of a room counts what ended there, and how long it waited and ran',
    run: async (scene) => {
      const [room, quiet] = [await scene.newRoom(), await scene.newRoom()]
      const worker = await scene.worker([{ room }], { slots: 3 })
      const [, , failing] = await scene.submitMany(room, 3)
      for (const job of await worker.assigned.take(3)) {
        if (job.id === failing) await worker.failed(job, 'no', false)
        else await worker.completed(job)
      }
      const { stepMs, points, countedSince } = await series(scene.admin, `room=${room}`)
      expect(stepMs).toBe(10_000)
      expect([sum(points, 'completed'), sum(points, 'failed'), sum(points, 'cancelled')]).toEqual([2, 1, 0])
      const measured = points.filter(({ completed }) => completed > 0)
      expect(measured.every(({ waitMsP95, runMsP50 }) => waitMsP95 !== null && runMsP50 !== null)).toBe(true)
      expect(points.every(({ at, slots }) => at % stepMs === 0 && slots === null)).toBe(true)
      expect(countedSince).toBeLessThan((measured[0]?.at ?? 0) + stepMs)
      expect(sum((await series(scene.admin, `room=${quiet}`)).points, 'completed')).toBe(0)
      expect((await series(scene.admin, `room=${room}&since=${Date.now() + 60_000}`)).points).toEqual([])
    },
  },
  {
    title: '[G9] the series over rooms is of those one may see, and slots are told to admins only',
    run: async (scene) => {
      const hidden = await scene.newRoom('private')
      const worker = await scene.worker([{ room: hidden }], { slots: 2 })
      const before = await series(await scene.user(), 'span=hour')
      await scene.submitMany(hidden, 2)
      for (const job of await worker.assigned.take(2)) await worker.completed(job)
      const stranger = await scene.user()
      const all = await series(scene.admin, 'span=hour')
      const less = await series(stranger, 'span=hour')
      expect(sum(all.points, 'completed') - sum(less.points, 'completed')).toBeGreaterThanOrEqual(2)
      expect(sum(less.points, 'completed')).toBe(sum(before.points, 'completed'))
      expect(all.points.some(({ slots }) => slots !== null && slots > 0)).toBe(true)
      expect(less.points.every(({ slots, busySlots }) => slots === null && busySlots === null)).toBe(true)
      expect((await stranger.refused(404, 'GET', `/api/series?room=${hidden}`)).code).toBe('room_not_found')
    },
  },
  {
    title: '[G10] the overview says what waits and runs, and names what waits for somebody to act',
    run: async (scene) => {
      const somebody = await scene.user()
      const [room, stuck] = [
        await scene.newRoom('private', somebody),
        await scene.newRoom('private', somebody),
      ]
      const worker = await scene.worker([{ room }, { room: stuck }], {}, somebody)
      await somebody.expect(200, 'POST', `/api/rooms/${stuck}/extensions/room/modifiers/Relax/pause`)
      for (const where of [room, room, stuck]) await scene.submit(where, {}, {}, somebody)
      await worker.started(await worker.assigned.next())
      const overview = await somebody.get<Overview>('/api/overview')
      expect(overview).toMatchObject({ slots: null, busySlots: null })
      expect(overview.running).toBeGreaterThanOrEqual(1)
      expect(overview.pending).toBeGreaterThanOrEqual(1)
      expect(overview.oldestWaitMs).toBeGreaterThanOrEqual(0)
      const paused = overview.troubles.find((one) => one.room === stuck)
      expect(paused).toMatchObject({ kind: 'waiting', category: 'modifiers', extension: 'Relax' })
      expect(paused?.sentence).toContain(`paused by ${somebody.user}`)
      expect(overview.troubles.some((one) => one.room === room)).toBe(false)
      const others = await (await scene.user()).get<Overview>('/api/overview')
      expect(JSON.stringify(others)).not.toContain(stuck)
    },
  },
  {
    title: '[G10] one job that failed for good is named to those who may see its room, and to nobody else',
    run: async (scene) => {
      const somebody = await scene.user()
      const room = await scene.newRoom('private', somebody)
      const worker = await scene.worker([{ room }], {}, somebody)
      for (let n = 0; n < 5; n++) {
        await scene.submit(room, {}, {}, somebody)
        const job = await worker.assigned.next()
        if (n < 4) await worker.completed(job)
        else await worker.failed(job, 'broken', false)
      }
      const mine = await somebody.get<Overview>('/api/overview')
      const named = mine.troubles.filter((one) => one.room === room)
      expect(named).toMatchObject([{ kind: 'failing', category: 'modifiers', extension: 'Relax', count: 1 }])
      const others = await (await scene.user()).get<Overview>('/api/overview')
      expect(JSON.stringify(others)).not.toContain(room)
    },
  },
  {
    title: '[G12] an admin sees every option with its value and its source, and no secret',
    run: async (scene) => {
      type Options = {
        options: { option: string; value: string; source: string; group: string; is: string }[]
      }
      const { options } = await scene.admin.get<Options>('/api/config')
      const of = (name: string) => options.find(({ option }) => option === name)
      expect(of('registrationsPerMinute')).toMatchObject({
        value: '1000',
        source: '--registrations-per-minute',
      })
      expect(of('bulkMaxJobs')?.source).toBe('default')
      expect(of('host')?.is.length).toBeGreaterThan(5)
      expect(options.length).toBeGreaterThan(30)
      const user = await scene.user()
      expect((await user.refused(403, 'GET', '/api/config')).code).toBe('admin_required')
    },
  },
  {
    title: '[G13] a form is offered the last inputs of its user that differ, the latest first, ten at most',
    run: async (scene) => {
      const room = await scene.newRoom()
      await scene.worker([{ room }, { room, name: 'Rotate' }])
      const [user, other] = [await scene.user(), await scene.user()]
      for (let n = 0; n < 12; n++) await scene.submit(room, { n }, {}, user)
      await scene.submit(room, { n: 5 }, {}, user)
      await scene.submit(room, { n: 99 }, { extension: 'Rotate' }, user)
      await scene.submit(room, { n: 77 }, {}, other)
      type Inputs = { inputs: { data: { n: number }; at: number; job: string; status: string }[] }
      const path = `/api/rooms/${room}/extensions/room/modifiers/Relax/recent-inputs`
      const { inputs } = await user.get<Inputs>(path)
      expect(inputs.map(({ data }) => data.n)).toEqual([5, 11, 10, 9, 8, 7, 6, 4, 3, 2])
      expect((await other.get<Inputs>(path)).inputs.map(({ data }) => data.n)).toEqual([77])
      expect((await scene.admin.get<Inputs>(path)).inputs).toEqual([])
    },
  },
]
