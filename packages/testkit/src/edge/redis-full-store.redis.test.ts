import { Redis } from 'ioredis'
import { afterAll } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { describeFullStore } from './full-store-flow.ts'

let redis: RedisProcess
let operator: Redis
afterAll(async () => {
  operator?.disconnect()
  await redis?.stop()
})

describeFullStore('Redis', async () => {
  redis = await RedisProcess.start({ appendfsync: 'always', settings: { 'maxmemory-policy': 'noeviction' } })
  operator = new Redis({ host: redis.host, port: redis.port })
  return {
    place: ['--redis', `redis://${redis.host}:${redis.port}`],
    take: async () => {
      const [, used = '0'] = /used_memory:(\d+)/.exec(await operator.info('memory')) ?? []
      await operator.config('SET', 'maxmemory', String(Number(used) + 3_000_000))
    },
    giveBack: async () => {
      await operator.config('SET', 'maxmemory', '0')
    },
  }
})
