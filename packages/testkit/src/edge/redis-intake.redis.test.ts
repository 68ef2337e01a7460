import { afterAll, beforeAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { describeIntake } from './intake-flow.ts'

let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start()
})
afterAll(async () => {
  await redis?.stop()
})

describeIntake('Redis', () => ['--redis', `redis://${redis.host}:${redis.port}`])
