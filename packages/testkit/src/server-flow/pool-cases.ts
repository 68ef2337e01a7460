// What a pool's token is good for, and what ends it.

import { expect } from 'vitest'
import { type CheckedClient, tell } from './checked-client.ts'
import { asBuiltin, type PoolCase, type PoolScene } from './pool-scene.ts'
import { type RawOffer, RawWorker, registrationOf } from './worker/raw-worker.ts'

export const poolCases: readonly PoolCase[] = [
  {
    title: '[A12] a pool runs a built-in extension in every room from submit to done, and says who it is',
    run: async (scene) => {
      const { flow } = scene
      const client = await scene.poolClient()
      expect(await client.get('/api/auth/me')).toMatchObject({ user: 'pool', role: 'pool', room: null })
      const offers = [asBuiltin({ name: 'Census' })]
      const pool = await flow.worker(offers, { kind: 'pool', slots: 2 }, client)
      for (const access of ['open', 'private'] as const) {
        const owner = await flow.user()
        const room = await flow.newRoom(access, owner)
        const options = { category: 'analysis', extension: 'Census' }
        const id = await flow.submit(room, { of: room }, options, owner)
        const job = await pool.assigned.next()
        expect(job).toMatchObject({ id, room, scope: 'builtin', data: { of: room } })
        expect(await pool.started(job)).toBe('running')
        expect(await pool.progress(job, 0.5, 'half')).toBe('running')
        expect(await pool.log(job, 'counting')).toBe('running')
        expect(await pool.completed(job, { heads: 3 })).toBe('completed')
        expect(await owner.get(`/api/rooms/${room}/jobs/${id}`)).toMatchObject({ result: { heads: 3 } })
      }
    },
  },
  {
    title: '[A12] a pool that asks for its jobs is given those of the built-in extensions too',
    run: async (scene) => {
      const { flow } = scene
      const client = await scene.poolClient()
      const room = await flow.newRoom('private')
      const { worker, extensions } = registrationOf({ id: 'puller', kind: 'pool' }, [
        asBuiltin({ name: 'Tally' }),
      ])
      await client.expect(200, 'POST', '/api/workers/register', { worker, extensions })
      const id = await flow.submit(room, {}, { category: 'analysis', extension: 'Tally' })
      const asked = { worker: 'puller', waitMs: 10_000 }
      const { token } = await client.expect<{ token: string }>(200, 'POST', '/api/jobs/next', asked)
      await client.expect(200, 'POST', '/api/workers/puller/beat', { running: [], free: 0 })
      const path = `/api/rooms/${room}/jobs/${id}`
      await client.expect(200, 'PUT', `${path}/status`, { token, status: 'completed' })
      expect((await client.refused(403, 'GET', path)).code).toBe('pool_forbidden')
    },
  },
  {
    title: "[A12] a pool's token registers nothing but workers of kind pool with built-in extensions",
    run: async (scene) => {
      const room = await scene.flow.newRoom()
      const refusals: readonly (readonly [RawOffer, 'pool' | undefined, string])[] = [
        [asBuiltin({ name: 'Census' }), undefined, 'worker_kind_forbidden'],
        [asBuiltin({ name: 'Unheard' }), 'pool', 'extension_forbidden'],
        [{ scope: 'global', name: 'Relax' }, 'pool', 'extension_forbidden'],
        [{ room }, 'pool', 'room_not_found'],
      ]
      const client = await scene.poolClient()
      for (const [offer, kind, code] of refusals) {
        const options = { id: scene.flow.newName('worker'), ...(kind && { kind }) }
        await expect(RawWorker.connect(client, options, [offer])).rejects.toThrow(code)
      }
      expect(await scene.flow.admin.get('/api/workers')).toEqual({ workers: [] })
    },
  },
  {
    title: '[A12] a pool neither takes the worker of somebody else nor reports on their jobs',
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      const worker = await flow.worker([{ room }])
      await flow.submit(room)
      const job = await worker.assigned.next()
      const pool = await scene.pool([{ name: 'Census' }])
      expect(await pool.completed(job)).toBe('worker_not_yours')
      await expect(scene.pool([{ name: 'Tally' }], { id: worker.id })).rejects.toThrow('worker_not_yours')
      expect(await worker.completed(job)).toBe('completed')
    },
  },
  {
    title: '[U23] only an admin makes a token for a pool, for 30 days at most',
    run: async (scene) => {
      const { flow } = scene
      const user = await flow.user()
      expect((await user.refused(403, 'POST', '/api/tokens', { pool: true })).code).toBe('admin_required')
      const month = 30 * 86_400
      const body = { pool: true, expiresInSeconds: month }
      const now = scene.server.store.now()
      expect(await flow.admin.expect(201, 'POST', '/api/tokens', body)).toMatchObject({
        room: null,
        expiresAt: now + month * 1_000,
      })
      const longer = { ...body, expiresInSeconds: month + 1 }
      expect((await flow.admin.refused(400, 'POST', '/api/tokens', longer)).code).toBe('request_invalid')
    },
  },
  {
    title: '[U23] revoking the token of a pool cuts it off, and other pools stay',
    run: async (scene) => {
      const [gone, stays] = [await scene.poolClient(), await scene.poolClient()]
      const { cut } = await connected(scene, gone)
      await scene.flow.admin.expect(204, 'DELETE', `/api/tokens/${gone.tokenId}`)
      await cut
      expect((await gone.refused(401, 'GET', '/api/auth/me')).code).toBe('credential_revoked')
      await stays.get('/api/auth/me')
    },
  },
  {
    title: '[U23] a token that an admin made for a pool ends when the account of the admin changes',
    run: async (scene) => {
      const maker = await scene.flow.user('admin')
      const client = await scene.poolClient(maker)
      const { cut } = await connected(scene, client)
      await scene.flow.admin.expect(200, 'PATCH', `/api/users/${maker.user}`, { role: 'user' })
      await cut
      expect((await client.refused(401, 'GET', '/api/auth/me')).code).toBe('credential_revoked')
    },
  },
  {
    title: "[A12] a pool's socket hears nothing that is meant for the admin who let it in",
    run: async (scene) => {
      const { flow } = scene
      const room = await flow.newRoom()
      await flow.worker([{ room, category: 'settings', name: 'View' }])
      const socket = await (await scene.poolClient()).socket()
      const heard: string[] = []
      socket.onAny((event: string) => heard.push(event))
      const mine = await flow.ear(room)
      for (const [event, payload] of [
        ['room:join', { room }],
        ['room:leave', { room }],
        ['system:join', {}],
      ] as const) {
        const answer = await tell<{ ok: boolean; problem: { code: string } }>(socket, event, payload)
        expect(answer.problem.code).toBe('pool_forbidden')
      }
      const path = `/api/rooms/${room}/extensions/room/settings/View/submit`
      await flow.admin.expect(200, 'POST', path, { data: {} })
      await mine.heard.next(({ event }) => event === 'values:changed')
      // Answered on the same connection, so whatever was sent before it has come by.
      await tell(socket, 'extension:unregister', {})
      expect(heard).toEqual([])
    },
  },
]

/** Registers a worker with this token; `cut` resolves when the server has let go of it. */
async function connected(scene: PoolScene, client: CheckedClient): Promise<{ readonly cut: Promise<void> }> {
  const { socket } = await scene.flow.worker([asBuiltin({ name: 'Census' })], { kind: 'pool' }, client)
  return { cut: new Promise((resolve) => socket.once('disconnect', () => resolve())) }
}
