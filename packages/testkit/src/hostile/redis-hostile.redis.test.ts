import { afterAll, beforeAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { describeHostile } from './hostile-flow.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

describeHostile('Redis', () => ['--redis', `redis://${redis.host}:${redis.port}`])
