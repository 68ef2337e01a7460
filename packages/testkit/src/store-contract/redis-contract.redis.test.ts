import { afterAll, beforeAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { redisOpener } from './redis-opener.ts'
import { describeStoreContract } from './store-contract.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

describeStoreContract('Redis', (options) => redisOpener({ nodes: [redis] })(options))
