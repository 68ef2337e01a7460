// Records that enter places together are one entry there on Redis. What no other store has to show: many that leave one
// by one, pages over what is left of them, and nothing that stays behind.

import { openRedisStore, type Put, type Store } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change, claim, commitAll, keysOf, listKeys, put } from './contract-scene.ts'

const count = 300

/** All of one instant but every hundredth. */
function keyAt(n: number): string {
  const instant = n % 100 === 99 ? '0199f3a0-0002' : '0199f3a0-0001'
  return `job/${instant}-7${String(n).padStart(3, '0')}-8000-000000000000`
}

const numbers = Array.from({ length: count }, (_, n) => n)
const keys = numbers.map(keyAt)
const sorted = keys.toSorted()

function listed(parts: Partial<Put> = {}): Put[] {
  return keys.map((key) => ({ key, head: 'h', lists: ['all'], wideLists: ['pending'], dueAt: 5, ...parts }))
}

describe('groups of records on Redis', () => {
  let redis: RedisProcess
  let client: Redis
  let store: Store

  beforeAll(async () => {
    redis = await RedisProcess.start()
    client = new Redis({ host: redis.host, port: redis.port })
    store = await openRedisStore({ nodes: [redis] })
  })
  afterAll(async () => {
    await store?.close()
    client?.disconnect()
    await redis?.stop()
  })

  const pages = async (room: string, order: 'oldest' | 'newest', limit: number): Promise<string[]> => {
    const found: string[] = []
    for (;;) {
      const cursor = found.at(-1)
      const bound = cursor === undefined ? {} : order === 'oldest' ? { after: cursor } : { before: cursor }
      const page = await listKeys(store, { partition: room, lists: ['pending'], order, limit, ...bound })
      if (page.length === 0) return found
      found.push(...page)
    }
  }

  it.each([1, 7, 50, 1000])(
    '[S11] pages of %i walk over groups in the order of keys, both ways',
    async (limit) => {
      const room = `walked-${limit}`
      await put(store, room, ...listed())
      await put(store, room, { key: `${keyAt(40)}-alone`, head: 'h', wideLists: ['pending'] })
      const all = [...keys, `${keyAt(40)}-alone`].toSorted()
      expect(await pages(room, 'oldest', limit)).toEqual(all)
      expect(await pages(room, 'newest', limit)).toEqual(all.toReversed())
    },
  )

  it('[S11] records that left a group one by one are not on its pages', async () => {
    const room = 'thinned'
    await put(store, room, ...listed())
    const gone = keys.filter((_, n) => n % 10 !== 3)
    for (const key of gone.slice(0, 200)) await put(store, room, { key, head: 'h', lists: ['all'] })
    await commitAll(store, change(room, { remove: gone.slice(200) }))
    const left = sorted.filter((key) => !gone.includes(key))
    expect(await pages(room, 'oldest', 4)).toEqual(left)
    expect(await pages(room, 'newest', 4)).toEqual(left.toReversed())
  })

  it('[S23] of a group only those are due whose instant was not moved', async () => {
    const room = 'due'
    await put(store, room, ...listed({ dueAt: -7 }))
    await put(store, room, ...keys.slice(10).map((key) => ({ key, head: 'h', dueAt: 900_000 })))
    expect(keysOf(await store.due(-7, 500)).toSorted()).toEqual(keys.slice(0, 10).toSorted())
    await put(store, room, ...keys.slice(20, 30).map((key) => ({ key, head: 'h', dueAt: -7 })))
    const again = [...keys.slice(0, 10), ...keys.slice(20, 30)].toSorted()
    expect(keysOf(await store.due(-7, 500)).toSorted()).toEqual(again)
    await put(store, room, ...keys.map((key) => ({ key, head: 'h' })))
    expect(await store.due(-7, 500)).toEqual([])
  })

  it('[S20] claims take a group apart, and the last to leave a place takes its entry along', async () => {
    const room = 'claimed'
    await put(store, room, ...listed({ queue: { name: 'queue', score: 1 }, dueAt: 1_000_000 }))
    for (let taken = 0; taken < count; taken += 30) await store.claim(claim(room, 'queue', 30))
    expect(await pages(room, 'oldest', 50)).toEqual([])
    expect(await listKeys(store, { partition: room, lists: ['assigned'] })).toEqual(sorted)
    expect(await listKeys(store, { partition: room, lists: ['all'] })).toEqual(sorted)
    await commitAll(store, change(room, { remove: keys }))
    expect(await client.keys(`*:?:${room}`)).toEqual([expect.stringMatching(/:n:/)])
  })
})
