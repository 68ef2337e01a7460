// Built-in extensions: whose names they are, where they are listed, and what becomes of them without their pool.

import type { ExtensionView } from '@millrace/protocol'
import { expect } from 'vitest'
import { builtins, type PoolCase, type PoolScene } from './pool-scene.ts'

const census = { category: 'analysis', extension: 'Census' } as const
const path = (room: string): string => `/api/rooms/${room}/extensions`

export const builtinCases: readonly PoolCase[] = [
  {
    title: '[E41] a pool brings all of the built-in extensions at once, however many a user may register',
    run: async (scene) => {
      const pool = await scene.pool(builtins)
      expect(pool.view?.extensions).toHaveLength(builtins.length)
      const other = await scene.pool(builtins, { id: 'another' })
      expect(other.view?.extensions).toHaveLength(builtins.length)
      const room = await scene.flow.newRoom()
      const listed = await extensionsOf(scene, room)
      expect(listed.map(({ scope, workers }) => ({ scope, workers }))).toEqual(
        builtins.map(() => ({ scope: 'builtin', workers: 2 })),
      )
    },
  },
  {
    title: '[E11] nobody else gives an extension the name of a built-in one, whether a pool is there or not',
    run: async (scene) => {
      const { flow } = scene
      const owner = await flow.user()
      const room = await flow.newRoom('open', owner)
      const inRoom = [{ room, category: 'analysis', name: 'census' }]
      await expect(flow.worker(inRoom, {}, owner)).rejects.toThrow('extension_name_reserved')
      const global = [{ scope: 'global', category: 'analysis', name: 'Census' }] as const
      await expect(flow.worker(global)).rejects.toThrow('extension_name_reserved')
      const builtin = [{ scope: 'builtin', category: 'analysis', name: 'Census' }] as const
      await expect(flow.worker(builtin, {}, owner)).rejects.toThrow('extension_forbidden')
      await scene.pool([{ name: 'Census' }])
      await expect(flow.worker(inRoom, {}, owner)).rejects.toThrow('extension_name_reserved')
    },
  },
  {
    title:
      '[M54] [E29] a built-in extension is listed in every room while its pool is away, and after a restart',
    run: async (scene) => {
      const before = await scene.flow.newRoom('private')
      const pool = await scene.pool([{ name: 'Census' }])
      pool.close()
      await scene.pass(40_000)
      const away = await extensionsOf(scene, before)
      expect(away).toMatchObject([{ scope: 'builtin', name: 'Census', workers: 0, pending: 0 }])

      await scene.restart()
      const after = await scene.flow.newRoom()
      for (const room of [before, after]) expect(await extensionsOf(scene, room)).toEqual(away)
      const id = await scene.flow.submit(after, {}, census)
      expect(await scene.flow.why(after, id)).toMatchObject({ reason: 'no_worker' })
      const next = await scene.pool([{ name: 'Census' }], { id: 'next' })
      expect((await next.assigned.next()).id).toBe(id)
    },
  },
  {
    title: '[M55] [E15] a pool that returns under its id after an upgrade brings the new schema at once',
    run: async (scene) => {
      const room = await scene.flow.newRoom()
      await scene.pool([{ name: 'Census', schema: counting('heads') }], { id: 'pool-1' })
      const [old] = await extensionsOf(scene, room)
      await scene.restart()
      const pool = await scene.pool([{ name: 'Census', schema: counting('tails') }], { id: 'pool-1' })
      const [now] = await extensionsOf(scene, room)
      expect(now).toMatchObject({ workers: 1, schema: counting('tails') })
      expect(now?.hash).not.toBe(old?.hash)
      const id = await scene.flow.submit(room, { tails: 2 }, census)
      expect((await pool.assigned.next()).id).toBe(id)
    },
  },
  {
    title: '[M55] [E15] another pool brings the new schema once the old pool is gone, and pinned jobs stay',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const old = await scene.pool([{ name: 'Census', schema: counting('heads') }])
      const upgraded = [{ name: 'Census', schema: counting('tails') }]
      await expect(scene.pool(upgraded, { id: 'new' })).rejects.toThrow('extension_schema_conflict')
      const pinned = await flow.submit(room, { heads: 1 }, { ...census })
      await old.rejected(await old.assigned.next(), 'going down')
      old.close()
      await scene.pass(40_000)

      const next = await scene.pool(upgraded, { id: 'new' })
      const [listed] = await extensionsOf(scene, room)
      const { schemaHash } = await flow.job(room, pinned)
      expect(listed).toMatchObject({ schema: counting('tails'), workers: 1, waitingFor: [schemaHash] })
      expect(await flow.why(room, pinned)).toMatchObject({ reason: 'no_worker' })
      const id = await flow.submit(room, { tails: 1 }, census)
      expect((await next.assigned.next()).id).toBe(id)
    },
  },
]

async function extensionsOf({ flow }: PoolScene, room: string): Promise<ExtensionView[]> {
  return (await flow.admin.get<{ extensions: ExtensionView[] }>(path(room))).extensions
}

function counting(what: string): Record<string, unknown> {
  return { type: 'object', properties: { [what]: { type: 'integer' } }, required: [what] }
}
