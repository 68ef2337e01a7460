import { openRedisStore } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import {
  acknowledge,
  expectAllKept,
  linesBeforeKill,
  noneAcknowledged,
  startCommitter,
} from './acknowledged.ts'

const kills = 50

describe('Redis and kill -9', () => {
  let redis: RedisProcess
  beforeAll(async () => {
    redis = await RedisProcess.start({ appendfsync: 'always' })
  })
  afterAll(async () => {
    await redis?.stop()
  })

  it(`[S39] what was answered is there with its event, once, after ${kills} kills of the Redis server`, {
    timeout: 300_000,
  }, async () => {
    const acknowledged = noneAcknowledged()
    for (let round = 0; round < kills; round++) {
      const committer = startCommitter({ kind: 'redis', host: redis.host, port: redis.port })
      await committer.count(linesBeforeKill())
      await redis.kill()
      await committer.kill()
      acknowledge(acknowledged, committer.lines)
      await redis.restart()
    }
    const store = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }] })
    const found = await expectAllKept(store, acknowledged)
    await store.close()
    const told = await eventsIn(redis)
    expect(told.toSorted()).toEqual([...found.values()].flat().toSorted())
  })
})

// A feed begins anew when its server has another life, so the logs themselves are asked which events they hold.
async function eventsIn({ host, port }: RedisProcess): Promise<string[]> {
  const client = new Redis({ host, port })
  try {
    const logs = await client.keys('*:log')
    const entries = await Promise.all(logs.map((log) => client.xrange(log, '-', '+')))
    return entries.flat().flatMap(([, fields]) => fields[fields.indexOf('e') + 1]?.split('\n') ?? [])
  } finally {
    client.disconnect()
  }
}
