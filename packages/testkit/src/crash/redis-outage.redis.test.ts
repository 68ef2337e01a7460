import { openRedisStore, type Store, StoreUnavailable } from '@millrace/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change, jobKey } from '../store-contract/contract-scene.ts'
import { hasEvent, readUntil } from '../store-contract/feed-reader.ts'

describe('a Redis that goes away and comes back', () => {
  let redis: RedisProcess
  let store: Store

  beforeAll(async () => {
    redis = await RedisProcess.start({ appendfsync: 'always' })
    store = await openRedisStore({ nodes: [{ host: redis.host, port: redis.port }] })
  })
  afterAll(async () => {
    await store?.close()
    await redis?.stop()
  })

  it('[S44] calls are refused with StoreUnavailable while it is away, and answered when it is back', {
    timeout: 60_000,
  }, async () => {
    const feed = store.feed('now')
    await feed.ready
    const before = change('room', { put: [{ key: jobKey(1), head: 'before' }] })
    await store.commit(before)
    await redis.kill()
    const during = change('room', { add: { made: 1 }, announce: [{ subject: jobKey(1), event: 'during' }] })
    const refused = await Promise.allSettled([store.commit(during), store.read('room', [jobKey(1)])])
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
    }
    await redis.restart()
    expect(await settle(() => store.read('room', [jobKey(1)]))).toMatchObject([{ head: 'before' }])
    expect(await settle(() => store.commit(during))).toEqual({
      outcome: 'committed',
      revision: 2,
      sequence: 1,
    })
    expect(await store.counters('room')).toEqual({ made: 1 })
    const items = await readUntil(feed, (item) => item.kind === 'reset' || hasEvent(item, 'during'))
    expect(items.length).toBeGreaterThan(0)
  })
})

/** A store that waits to reconnect says so; asked again it gets there. Ends with the test's own time limit. */
async function settle<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (fault) {
      if (!(fault instanceof StoreUnavailable)) throw fault
    }
  }
}
