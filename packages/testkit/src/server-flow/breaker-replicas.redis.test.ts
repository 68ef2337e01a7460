import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import { redisOpener } from '../store-contract/redis-opener.ts'
import { becomes, breakerWhen, breakIt, extensionPath, failOne } from './breaker-cases.ts'
import { FlowScene } from './flow-scene.ts'
import { registrationOf } from './worker/raw-worker.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

interface Pair {
  readonly here: FlowScene
  readonly there: FlowScene
  /** Time jumps, and both look at what is due. */
  jump(ms: number): Promise<void>
}

/** Two replicas on one Redis whose time the test moves. */
async function withPair(run: (pair: Pair) => Promise<void>): Promise<void> {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const opened = await redisOpener({ nodes: [redis] })({ now: () => clock.now })
  const args = ['--registrations-per-minute', '1000']
  const servers: readonly TestServer[] = [
    await startTestServer(opened.store, args),
    await startTestServer(await opened.reopen!(), args),
  ]
  const root = await servers[0]!.as('root', 'admin')
  const [here, there] = servers.map(({ url }) => new FlowScene(url, root.token ?? ''))
  try {
    await run({
      here: here!,
      there: there!,
      jump: async (ms) => {
        clock.now += ms
        await Promise.all(servers.map(({ running }) => running.tick()))
      },
    })
    expect(servers.flatMap(({ faults }) => faults)).toEqual([])
  } finally {
    await here!.close()
    await there!.close()
    for (const server of servers) await server.close()
    await opened.close()
  }
}

describe('the breaker of an extension and several replicas', () => {
  it('[M79] one replica opens it for all, and of both that could try a job one does', () =>
    withPair(async ({ here, there, jump }) => {
      const room = await here.newRoom()
      const ears = [await here.ear(room), await there.ear(room)] as const
      const workers = [await here.worker([{ room }], { slots: 1 })]
      await breakIt(here, room, ears[0], workers[0]!)
      await becomes(there, ears[1], 'open', extensionPath(room))
      workers.push(await there.worker([{ room }], { slots: 4 }))
      const waiting = [...(await here.submitMany(room, 2)), ...(await there.submitMany(room, 2))]
      for (const scene of [here, there])
        expect(await scene.why(room, waiting[0]!)).toMatchObject({ reason: 'breaker_open' })

      await jump(60_000)
      const probe = await Promise.race(workers.map((worker) => worker.assigned.next()))
      for (const [at, scene] of [here, there].entries())
        await becomes(scene, ears[at]!, 'probing', extensionPath(room))
      for (const scene of [here, there]) {
        const puller = scene.newName('puller')
        await scene.admin.expect(
          200,
          'POST',
          '/api/workers/register',
          registrationOf({ id: puller }, [{ room }]),
        )
        await scene.admin.expect(204, 'POST', '/api/jobs/next', { worker: puller, waitMs: 300 })
      }
      expect(
        workers.flatMap((worker) => worker.assigned.all).filter(({ id }) => waiting.includes(id)),
      ).toEqual([probe])
    }))

  it('[M79] the end of a probe counts at whichever replica hears it', () =>
    withPair(async ({ here, there, jump }) => {
      const room = await here.newRoom()
      const [ear, far] = [await here.ear(room), await there.ear(room)]
      const worker = await here.worker([{ room }])
      await breakIt(here, room, ear, worker)
      const [first, second] = await here.submitMany(room, 2)
      await jump(60_000)
      const probe = await worker.assigned.next()
      expect(probe.id).toBe(first)
      await becomes(there, far, 'probing', extensionPath(room))
      const path = `/api/rooms/${room}/jobs/${first}/status`
      await there.admin.expect(200, 'PUT', path, { token: probe.token, status: 'completed', result: {} })
      expect((await worker.assigned.next()).id).toBe(second)
      await becomes(here, ear, 'closed', extensionPath(room))
    }))

  it('[B14] each replica counts for itself, and a reset at one forgets what the other has counted', () =>
    withPair(async ({ here, there }) => {
      const room = await here.newRoom()
      const far = await there.ear(room)
      const [near, remote] = [await here.worker([{ room }]), await there.worker([{ room }])]
      // A worker's failures are heard by its own replica: while the other is drained it gets the job.
      await here.admin.expect(200, 'POST', `/api/workers/${near.id}/drain`)
      for (let times = 0; times < 4; times += 1) await failOne(there, room, remote)
      const reset = `${extensionPath(room)}/reset-breaker`
      await here.admin.expect(200, 'POST', reset)
      await breakerWhen(there, far, extensionPath(room), ({ since }) => since !== null)
      for (let times = 0; times < 4; times += 1) await failOne(there, room, remote)
      expect(await there.admin.get(extensionPath(room))).toMatchObject({ breaker: { state: 'closed' } })
      await failOne(there, room, remote)
      await becomes(there, far, 'open', extensionPath(room))
    }))
})
