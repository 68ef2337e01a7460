import { RedisProcess } from '../redis/redis-process.ts'
import { pagesFlow } from './pages-flow.ts'

pagesFlow('Redis', async () => {
  const redis = await RedisProcess.start()
  return `redis://${redis.host}:${redis.port}`
})
