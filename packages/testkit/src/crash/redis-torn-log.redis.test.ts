import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRedisStore, type Store } from '@millrace/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { changeId } from '../store-contract/change-id.ts'

const room = 'lab'
let redis: RedisProcess
beforeAll(async () => {
  redis = await RedisProcess.start({ appendfsync: 'always' })
})
afterAll(() => redis?.stop())

it('[S62] a change that was torn in the log of Redis leaves nothing, also after the next death', async () => {
  await withStore((store) => commit(store, 'whole'))
  await withStore((store) => commit(store, 'torn'))
  await redis.kill()
  tearLastChange(redis.logDirectory)
  await redis.restart()
  await withStore((store) => commit(store, 'later'))
  await redis.kill()
  await redis.restart()
  await withStore(async (store) => {
    const records = await store.list({ partition: room, lists: ['all'], order: 'oldest', limit: 10 })
    expect(records.map(({ head, version }) => [head, version])).toEqual([
      ['whole', 1],
      ['later', 2],
    ])
    expect(await store.counters(room)).toEqual({ made: 2 })
    expect(await store.commit({ id: changeId(), partition: room })).toMatchObject({
      revision: 3,
      sequence: 2,
    })
  })
})

it.each([
  ['yes', true],
  ['no', false],
])('[S62] with aof-load-truncated %s the store says so: %s', async (value, says) => {
  const other = await RedisProcess.start({ appendfsync: 'always', settings: { 'aof-load-truncated': value } })
  const store = await openRedisStore({ nodes: [other] })
  expect((await store.describe()).durability.includes('aof-load-truncated')).toBe(says)
  await store.close()
  await other.stop()
})

async function withStore(use: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openRedisStore({ nodes: [redis] })
  await use(store)
  await store.close()
}

async function commit(store: Store, head: string): Promise<void> {
  const id = changeId()
  const key = `job/${id}`
  const announce = [{ subject: key, event: head }]
  const put = [{ key, head, lists: ['all'] }]
  await store.commit({ id, partition: room, put, add: { made: 1 }, announce })
}

/** As a kill in the middle of a write would: everything of the change is there but the last two of its commands. */
function tearLastChange(directory: string): void {
  const name = readdirSync(directory).find((one) => one.endsWith('.incr.aof')) ?? ''
  const file = join(directory, name)
  const log = readFileSync(file)
  writeFileSync(file, log.subarray(0, log.lastIndexOf('XADD') + 2))
}
