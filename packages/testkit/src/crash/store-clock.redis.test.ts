import { openRedisStore, type Store } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'

/** A machine that is loaded answers late, or stands still for a while; an hour it is not. */
const nearMs = 60_000
const hour = 3_600_000

describe('the time of a store on Redis', () => {
  let redis: RedisProcess
  let store: Store
  let client: Redis
  beforeEach(async () => {
    redis = await RedisProcess.start()
    store = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }] })
    client = new Redis({ host: redis.host, port: redis.port })
  })
  afterEach(async () => {
    vi.useRealTimers()
    client.disconnect()
    await store.close()
    await redis.stop()
  })

  it.each([
    ['forward', hour],
    ['back', -hour],
  ])(
    '[M112] a replica whose wall clock is set %s by an hour keeps the time of Redis',
    async (_way, stepMs) => {
      const before = store.now()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + stepMs })
      const [seconds] = (await client.time()) as unknown as [string]
      const after = store.now()
      expect(Math.abs(after - Number(seconds) * 1_000)).toBeLessThan(nearMs)
      expect(after).toBeGreaterThanOrEqual(before)
    },
  )
})
