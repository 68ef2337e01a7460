import { afterAll, beforeAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { redisOpener } from '../store-contract/redis-opener.ts'
import { describeEventFuzz } from './event-fuzz.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

describeEventFuzz('Redis', (options) => redisOpener({ nodes: [redis] })(options))
