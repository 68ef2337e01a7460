import { RedisProcess } from '../redis/redis-process.ts'
import { webFlow } from './web-flow.ts'

webFlow('Redis', async () => {
  const redis = await RedisProcess.start()
  return `redis://${redis.host}:${redis.port}`
})
