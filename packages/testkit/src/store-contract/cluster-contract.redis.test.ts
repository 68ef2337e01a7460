import { afterAll, beforeAll } from 'vitest'
import { type RedisCluster, startRedisCluster } from '../redis/redis-cluster.ts'
import { redisOpener } from './redis-opener.ts'
import { describeStoreContract } from './store-contract.ts'

let cluster: RedisCluster
beforeAll(async () => {
  cluster = await startRedisCluster()
}, 30_000)
afterAll(async () => {
  await cluster?.stop()
})

describeStoreContract('a Redis Cluster', (options) =>
  redisOpener({ nodes: cluster.nodes, cluster: true })(options),
)
