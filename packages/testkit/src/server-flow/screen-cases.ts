// What the screens are told as time goes by: what is kept, for how long, and over a restart.

import type { ErrorGroup, SeriesPoint } from '@millrace/protocol'
import { expect } from 'vitest'
import { startTestServer } from '../server/test-server.ts'
import type { CheckedClient } from './checked-client.ts'
import type { ClockCase, ClockScene } from './clock-scene.ts'
import { FlowScene } from './flow-scene.ts'

const day = 24 * 3_600_000

async function failOne(scene: FlowScene, room: string, client: CheckedClient = scene.admin): Promise<void> {
  const worker = await scene.worker([{ room }], {}, client)
  await scene.submit(room, {}, {}, client)
  await worker.failed(await worker.assigned.next(), 'the oven is cold', false)
  worker.close()
}

async function errorsIn(client: CheckedClient, room: string): Promise<readonly ErrorGroup[]> {
  return (await client.get<{ errors: ErrorGroup[] }>(`/api/errors?room=${room}`)).errors
}

/** A session lasts less long than what these cases are about. */
async function signedInAgain(scene: ClockScene): Promise<CheckedClient> {
  const { token } = await scene.server.as('root', 'admin')
  return scene.withToken(token ?? '', 'root')
}

async function pointsOf(scene: FlowScene, span: string, room: string): Promise<readonly SeriesPoint[]> {
  const path = `/api/series?span=${span}&room=${room}`
  return (await scene.admin.get<{ points: SeriesPoint[] }>(path)).points
}

/** The same store under a server that has just started, until the work is done. */
async function restarted(scene: ClockScene, work: (again: FlowScene) => Promise<void>): Promise<void> {
  await scene.server.close()
  const server = await startTestServer(scene.server.store)
  const again = new FlowScene(server.url, scene.admin.token ?? '')
  try {
    await work(again)
  } finally {
    await again.close()
    await server.close()
  }
}

export const screenCases: readonly ClockCase[] = [
  {
    title: '[G7] errors are still known after a restart, with their first time, and counted on',
    run: async (scene) => {
      const room = await scene.newRoom()
      const firstAt = scene.now
      await failOne(scene, room)
      await scene.jump(60_000)
      await restarted(scene, async (again) => {
        expect(await errorsIn(again.admin, room)).toMatchObject([{ count: 1, firstAt, lastAt: firstAt }])
        await failOne(again, room)
        expect(await errorsIn(again.admin, room)).toMatchObject([{ count: 2, firstAt, lastAt: scene.now }])
      })
    },
  },
  {
    title: '[G7] an error that nobody met for 14 days is forgotten, and one that was met again is not',
    run: async (scene) => {
      const [once, again] = [await scene.newRoom(), await scene.newRoom()]
      for (const room of [once, again]) await failOne(scene, room)
      await scene.jump(13 * day)
      await failOne(scene, again, await signedInAgain(scene))
      await scene.jump(day)
      const root = await signedInAgain(scene)
      expect(await errorsIn(root, once)).toEqual([])
      expect(await errorsIn(root, again)).toMatchObject([{ count: 2 }])
    },
  },
  {
    title: '[G9] steps follow each other by the clock, and ten minutes later the week has their sum',
    run: async (scene) => {
      const room = await scene.newRoom()
      await failOne(scene, room)
      await scene.pass(20_000)
      await failOne(scene, room)
      const fine = (await pointsOf(scene, 'hour', room)).filter(({ failed }) => failed > 0)
      expect(fine.map(({ failed }) => failed)).toEqual([1, 1])
      expect((fine[1]?.at ?? 0) - (fine[0]?.at ?? 0)).toBe(20_000)
      await scene.pass(600_000)
      expect((await pointsOf(scene, 'week', room))[0]).toMatchObject({ failed: 2, pending: 0, running: 0 })
    },
  },
  {
    title: '[G9] the week is still known after a restart, and after another what was counted is counted once',
    run: async (scene) => {
      const room = await scene.newRoom()
      await failOne(scene, room)
      await restarted(scene, async (again) => {
        expect((await pointsOf(again, 'week', room)).map(({ failed }) => failed)).toEqual([1])
        expect((await pointsOf(again, 'hour', room)).every(({ failed }) => failed === 0)).toBe(true)
        await failOne(again, room)
      })
      await restarted(scene, async (again) => {
        expect((await pointsOf(again, 'week', room)).map(({ failed }) => failed)).toEqual([2])
      })
    },
  },
]
