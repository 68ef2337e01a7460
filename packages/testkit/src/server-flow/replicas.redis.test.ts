import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { type ServerProcess, startServerProcess } from '../server/server-process.ts'
import { FlowScene } from './flow-scene.ts'
import { replicaCases } from './replica-cases.ts'

describe('two servers on one Redis', () => {
  let redis: RedisProcess
  const servers: ServerProcess[] = []
  beforeAll(async () => {
    redis = await RedisProcess.start()
    const place = ['--redis', `redis://${redis.host}:${redis.port}`, '--registrations-per-minute', '1000']
    // The directory holds the secret that signs tokens, which replicas share.
    const args = ['--data-dir', await makeTempDir('replicas'), ...place]
    servers.push(await startServerProcess(args))
    servers.push(await startServerProcess(args))
  })
  afterAll(async () => {
    for (const { child } of servers) await child.kill()
    await redis?.stop()
  })

  for (const { title, run } of replicaCases) {
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
})
