import { randomUUID } from 'node:crypto'
import { openRedisStore, type Store } from '@millrace/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change, claim, commitAll, jobKey, keysOf, put, queued, readOne } from './contract-scene.ts'
import { drain, eventsOf } from './feed-reader.ts'

describe('several replicas on one Redis', () => {
  let redis: RedisProcess
  let prefix: string
  const replicas: Store[] = []
  const replica = (n: number): Store => {
    const store = replicas[n % replicas.length]
    if (!store) throw new Error('no replica is open')
    return store
  }

  const address = () => ({ nodes: [{ host: redis.host, port: redis.port }], prefix })

  beforeAll(async () => {
    redis = await RedisProcess.start()
  })
  beforeEach(async () => {
    prefix = randomUUID()
    for (let n = 0; n < 3; n++) replicas.push(await openRedisStore(address()))
  })
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((store) => store.close()))
  })
  afterAll(async () => {
    await redis?.stop()
  })

  it('[S42] a commit answered by one replica is read by every other at once', async () => {
    for (let n = 0; n < 30; n++) {
      await put(replica(n), 'room', { key: jobKey(1), head: `${n}` })
      expect(await readOne(replica(n + 1), 'room', jobKey(1))).toMatchObject({ head: `${n}`, version: n + 1 })
    }
  })

  it('[S42] of changes that compete through several replicas exactly one is applied', async () => {
    await put(replica(0), 'room', { key: jobKey(1), head: 'h' })
    const compete = (n: number) =>
      replica(n).commit(
        change('room', { expect: { [jobKey(1)]: 1 }, put: [{ key: jobKey(1), head: `${n}` }] }),
      )
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => compete(n)))
    expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1)
  })

  it('[S42] a change sent to one replica and again to another is applied once and answered the same', async () => {
    const once = change('room', { add: { made: 1 }, announce: [{ subject: jobKey(1), event: 'made' }] })
    const first = await replica(0).commit(once)
    expect(await replica(1).commit(once)).toEqual(first)
    expect(await replica(2).counters('room')).toEqual({ made: 1 })
  })

  it('[S42] claimers on all replicas take each job once and do not overshoot a limit', async () => {
    const jobs = Array.from({ length: 100 }, (_, n) => queued(jobKey(n), n))
    await put(replica(0), 'room', ...jobs)
    const limited = () =>
      claim('room', 'queue', 7, { limits: [{ counter: 'running', max: 61 }], add: { running: 1 } })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => replica(n).claim(limited())))
    const taken = answers.flatMap(({ records }) => keysOf(records))
    expect(taken).toHaveLength(61)
    expect(new Set(taken).size).toBe(61)
    expect(await replica(1).counters('room')).toEqual({ running: 61 })
  })

  it('[S42] the feed of one replica brings the changes made through the others, each partition in order', async () => {
    const feed = replica(0).feed('now')
    await feed.ready
    for (let n = 0; n < 20; n++) {
      await commitAll(replica(n), change('room', { announce: [{ subject: jobKey(1), event: `${n}` }] }))
    }
    const events = eventsOf(await drain(replica(1), feed, ['room']))
    expect(events.map(({ event, sequence }) => [event, sequence])).toEqual(
      Array.from({ length: 20 }, (_, n) => [`${n}`, n + 1]),
    )
  })

  it('[S42] a position saved at one replica is good at another', async () => {
    const feed = replica(0).feed('now')
    const saved = await feed.ready
    await feed.close()
    await commitAll(replica(2), change('room', { announce: [{ subject: jobKey(1), event: 'made' }] }))
    const events = eventsOf(await drain(replica(1), replica(1).feed(saved), ['room']))
    expect(events).toMatchObject([{ event: 'made', sequence: 1 }])
  })

  it('[S43] every due record is named to one replica, and to another once that one is closed', {
    timeout: 30_000,
  }, async () => {
    const rooms = Array.from({ length: 20 }, (_, n) => `room-${n}`)
    for (const room of rooms) await put(replica(0), room, { key: jobKey(1), head: 'h', dueAt: 5 })
    const named = async (n: number) => (await replica(n).due(10, 100)).map(({ partition }) => partition)
    const shares = [await named(0), await named(1), await named(2)]
    expect(shares.flat().toSorted()).toEqual(rooms.toSorted())
    for (const closed of replicas.splice(0, 2)) await closed.close()
    // The share of a replica that is gone is handed on within its lease.
    await expect.poll(async () => (await named(0)).toSorted(), { timeout: 20_000 }).toEqual(rooms.toSorted())
  })

  it('[S45] a Redis set up with another number of shards is refused with both numbers', async () => {
    const refusal = await openRedisStore({ ...address(), shards: 4 }).then(
      async (store) => {
        await store.close()
        return 'it was opened'
      },
      (fault: Error) => fault.message,
    )
    expect(refusal).toMatch(/\b16\b/)
    expect(refusal).toMatch(/\b4\b/)
  })
})
