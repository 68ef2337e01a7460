import type { WorkerView } from '@millrace/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { startTestServer } from '../server/test-server.ts'
import { redisOpener } from '../store-contract/redis-opener.ts'
import { attemptReplicaCases, pullAt, pulled, report } from './attempt-replica-cases.ts'
import { FlowScene } from './flow-scene.ts'
import { replicaCases } from './replica-cases.ts'

describe('two servers on one Redis', () => {
  let redis: RedisProcess
  const servers: ServerProcess[] = []
  beforeAll(async () => {
    redis = await RedisProcess.start()
    const place = [
      '--redis',
      `redis://${redis.host}:${redis.port}`,
      '--registrations-per-minute',
      '1000',
      '--poll-interval-ms',
      '100',
    ]
    // The directory holds the secret that signs tokens, which replicas share.
    const args = ['--data-dir', await makeTempDir('replicas'), ...place]
    servers.push(await startServerProcess(args))
    servers.push(await startServerProcess(args))
  })
  afterAll(async () => {
    for (const { child } of servers) await child.kill()
    await redis?.stop()
  })

  for (const { title, run } of [...replicaCases, ...attemptReplicaCases]) {
    it(title, async () => {
      const [here, there] = servers.map(({ url, admin }) => new FlowScene(url, admin.token ?? ''))
      try {
        await run(here!, there!)
      } finally {
        await here!.close()
        await there!.close()
      }
    })
  }

  it('[M43] a worker that one replica finds lost is shown the door by its own, and registers anew', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const opened = await redisOpener({ nodes: [redis] })({ now: () => clock.now })
    // The worker's own replica does not look at what is due, as if it stood still.
    const own = await startTestServer(opened.store, ['--poll-interval-ms', '60000'])
    const other = await startTestServer(await opened.reopen!(), ['--poll-interval-ms', '60000'])
    const root = await own.as('root', 'admin')
    const scene = new FlowScene(own.url, root.token ?? '')
    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }])
    const id = await scene.submit(room)
    await worker.started(await worker.assigned.next())
    const cut = new Promise<void>((resolve) => worker.socket.once('disconnect', () => resolve()))
    for (let passed = 0; passed < 20_000; passed += 4_000) {
      clock.now += 4_000
      await other.running.tick()
    }
    await cut
    expect((await scene.job(room, id)).status).toBe('pending')
    const back = await scene.worker([{ room }], { id: worker.id })
    expect((await back.assigned.next()).id).toBe(id)
    await scene.close()
    for (const server of [own, other]) await server.close()
    await opened.close()
  })

  it('[M174] a pull worker that reports at the other replica and says nothing at its own keeps its lease', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const opened = await redisOpener({ nodes: [redis] })({ now: () => clock.now })
    const own = await startTestServer(opened.store, ['--poll-interval-ms', '60000'])
    const other = await startTestServer(await opened.reopen!(), ['--poll-interval-ms', '60000'])
    const { token } = await own.as('root', 'admin')
    const [here, there] = [own, other].map(({ url }) => new FlowScene(url, token ?? ''))
    const room = await here!.newRoom()
    const worker = await pullAt(room, here!)
    await here!.submit(room)
    const job = await pulled(here!, worker)
    for (let passed = 0; passed < 30_000; passed += 5_000) {
      clock.now += 5_000
      await report(there!, job, { status: 'running', progress: passed / 30_000 })
      const heardAt = async () => (await there!.admin.get<WorkerView>(`/api/workers/${worker}`)).heardAt
      while ((await heardAt()) !== clock.now);
      await other.running.tick()
    }
    expect((await here!.job(room, job.job)).status).toBe('running')
    for (const scene of [here!, there!]) await scene.close()
    for (const server of [own, other]) await server.close()
    await opened.close()
  })
})
