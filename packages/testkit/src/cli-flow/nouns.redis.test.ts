import { afterAll, beforeAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { describeNounFlow } from './noun-flow.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

describeNounFlow('Redis', () => ['--redis', `redis://${redis.host}:${redis.port}`])
