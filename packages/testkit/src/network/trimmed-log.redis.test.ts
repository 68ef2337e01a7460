import { randomUUID } from 'node:crypto'
import { type Feed, type FeedItem, openRedisStore, type Store } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change, commitAll, jobKey } from '../store-contract/contract-scene.ts'
import { hasEvent, positionNow, readUntil } from '../store-contract/feed-reader.ts'
import { TcpProxy } from './tcp-proxy.ts'

// More than a feed takes in before its consumer asks for anything, so the newest of them are certainly unread.
const moreThanBuffered = 6_000

describe('a log of Redis that is trimmed before it was read', () => {
  let redis: RedisProcess
  let operator: Redis
  let proxy: TcpProxy
  let log: string
  /** Writes directly, and reads through a proxy that can cut it off. */
  let writer: Store
  let reader: Store

  beforeAll(async () => {
    redis = await RedisProcess.start()
    operator = new Redis({ host: redis.host, port: redis.port })
  })
  beforeEach(async () => {
    proxy = await TcpProxy.start(redis)
    const prefix = randomUUID()
    log = `${prefix}:{0}:log`
    const open = ({ host, port }: { host: string; port: number }) =>
      openRedisStore({ nodes: [{ host, port }], prefix, shards: 1 })
    writer = await open(redis)
    reader = await open(proxy)
  })
  afterEach(async () => {
    await Promise.all([reader?.close(), writer?.close()])
    await proxy?.close()
  })
  afterAll(async () => {
    operator?.disconnect()
    await redis?.stop()
  })

  const announce = (event: string) =>
    commitAll(writer, change('room', { announce: [{ subject: jobKey(1), event }] }))

  const announceMany = async (): Promise<void> => {
    for (let n = 0; n < moreThanBuffered; n += 500) {
      await Promise.all(Array.from({ length: 500 }, () => announce('one of many')))
    }
  }

  const isReset = (item: FeedItem): boolean => item.kind === 'reset'

  const startedFeed = async (): Promise<Feed> => {
    const feed = reader.feed('now')
    await feed.ready
    return feed
  }

  it('[S27] a consumer slower than the trimming is told by a reset, and reads on from there', {
    timeout: 60_000,
  }, async () => {
    const feed = await startedFeed()
    await announceMany()
    await operator.xtrim(log, 'MAXLEN', 1)
    const items = await readUntil(feed, isReset)
    expect(items.length).toBeLessThanOrEqual(moreThanBuffered)
    const goesOn = reader.feed(items.at(-1)?.position ?? '')
    await goesOn.ready
    await announce('after the reset')
    const rest = await readUntil(goesOn, (item) => hasEvent(item, 'after the reset'))
    expect(rest.filter(isReset)).toEqual([])
  })

  it('[S27] a reader cut off while the rest of the log was trimmed is told by a reset, not by waiting', {
    timeout: 60_000,
  }, async () => {
    const feed = await startedFeed()
    await announceMany()
    await operator.xtrim(log, 'MAXLEN', 0)
    proxy.cutAll()
    expect((await readUntil(feed, isReset)).at(-1)).toMatchObject({ kind: 'reset' })
  })

  it('[S27] a saved position is answered by a reset when entries after it were trimmed, however young', async () => {
    const saved = await positionNow(writer)
    for (const event of ['1', '2', '3']) await announce(event)
    await operator.xtrim(log, 'MAXLEN', 2)
    const items = await readUntil(reader.feed(saved), () => true)
    expect(items).toMatchObject([{ kind: 'reset' }])
  })

  it('[S25] a position whose own entry was trimmed, and none after it, is read on from without a reset', async () => {
    const start = await positionNow(writer)
    for (const event of ['1', '2', '3']) await announce(event)
    const toSecond = await readUntil(reader.feed(start), (item) => hasEvent(item, '2'))
    await operator.xtrim(log, 'MAXLEN', 1)
    const feed = reader.feed(toSecond.at(-1)?.position ?? '')
    await feed.ready
    proxy.cutAll()
    await announce('4')
    const items = await readUntil(feed, (item) => hasEvent(item, '4'))
    expect(items.map((item) => (item.kind === 'events' ? item.events[0]?.event : 'reset'))).toEqual([
      '3',
      '4',
    ])
  })

  it('[S27] a position that is not of the form the feed gave is answered by a reset', async () => {
    const position = await positionNow(writer)
    for (const forged of [position.replace(/\d+-\d+/, 'x-y'), position.replace(/:\d+@/, '@')]) {
      expect(await readUntil(reader.feed(forged), () => true)).toMatchObject([{ kind: 'reset' }])
    }
  })
})
