import { afterAll, beforeAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { describeServerFlow } from './server-flow.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

describeServerFlow('Redis', () => ['--redis', `redis://${redis.host}:${redis.port}`])
