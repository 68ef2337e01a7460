import { openRedisStore, type Store } from '@millrace/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { startTestServer } from '../server/test-server.ts'
import { FlowScene } from './flow-scene.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(() => redis?.stop())

it('[M45] many jobs in one room make a replica look at its queues a few times, not once for each', async () => {
  const store = await openRedisStore({ nodes: [redis] })
  let looks = 0
  const counted: Store = {
    now: () => store.now(),
    read: (partition, keys) => store.read(partition, keys),
    list: (query) => store.list(query),
    queues: (partition) => {
      if (partition !== undefined) looks += 1
      return store.queues(partition)
    },
    counters: (partition) => store.counters(partition),
    commit: (change) => store.commit(change),
    claim: (claim) => store.claim(claim),
    due: (now, limit) => store.due(now, limit),
    feed: (from) => store.feed(from),
    describe: () => store.describe(),
    close: () => store.close(),
  }
  const server = await startTestServer(counted)
  try {
    const root = await server.as('root', 'admin')
    const scene = new FlowScene(server.url, root.token ?? '')
    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }])
    looks = 0
    const began = performance.now()
    const jobs = 400
    await Promise.all(Array.from({ length: jobs }, () => scene.submit(room)))
    await worker.assigned.next()
    // A look gathers what came in 20 ms, so a slow machine needs more of them; one for each job would be 400.
    const windows = (performance.now() - began) / 20
    expect(looks).toBeLessThan(Math.min(jobs, windows + 5))
    await scene.close()
  } finally {
    await server.close()
    await store.close()
  }
})
