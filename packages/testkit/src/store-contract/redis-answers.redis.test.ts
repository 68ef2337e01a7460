// Redis writes to whoever reads its log before it writes to whoever made the change. What a store does about it.

import { openRedisStore, type Store } from '@millrace/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change } from './contract-scene.ts'

describe('answers of a Redis store and its log', () => {
  let redis: RedisProcess
  let store: Store

  beforeAll(async () => {
    redis = await RedisProcess.start()
    store = await openRedisStore({ nodes: [redis] })
  })
  afterAll(async () => {
    await store?.close()
    await redis?.stop()
  })

  it('[S67] whoever makes a change is answered before those who follow the log are told of it', async () => {
    const count = 200
    const feed = store.feed('now')
    await feed.ready
    const seen: string[] = []
    let heard: () => void = () => undefined
    const hearing = (async () => {
      for await (const item of feed) {
        if (item.kind !== 'events') continue
        seen.push(...item.events.map(({ event }) => `told ${event}`))
        heard()
      }
    })()
    for (let n = 0; n < count; n++) {
      const told = new Promise<void>((resolve) => {
        heard = resolve
      })
      await store.commit(change('room', { announce: [{ subject: 'one', event: `${n}` }] }))
      seen.push(`answered ${n}`)
      await told
    }
    await feed.close()
    await hearing
    expect(seen).toEqual(Array.from({ length: count }, (_, n) => [`answered ${n}`, `told ${n}`]).flat())
  })
})
