import { randomUUID } from 'node:crypto'
import { type Feed, openRedisStore, type Store, StoreUnavailable } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RedisProcess } from '../redis/redis-process.ts'
import { change, commitAll, jobKey } from '../store-contract/contract-scene.ts'
import { TcpProxy } from './tcp-proxy.ts'

describe('a Redis that refuses', () => {
  let redis: RedisProcess
  let operator: Redis
  let prefix: string
  let username: string
  const opened: Store[] = []

  beforeAll(async () => {
    redis = await RedisProcess.start()
    operator = new Redis({ host: redis.host, port: redis.port })
  })
  beforeEach(async () => {
    prefix = randomUUID()
    username = `user-${prefix}`
    await allow('reset', 'on', '>secret', '~*', '&*', '+@all')
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
  afterAll(async () => {
    operator?.disconnect()
    await redis?.stop()
  })

  const allow = (...rules: string[]) => operator.call('ACL', 'SETUSER', username, ...rules)

  const open = async ({ host, port }: { host: string; port: number } = redis): Promise<Store> => {
    const nodes = [{ host, port }]
    const store = await openRedisStore({ nodes, prefix, username, password: 'secret', shards: 1 })
    opened.push(store)
    return store
  }

  const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'it was answered',
      (fault: unknown) => fault,
    )

  const faultOfFeed = (feed: Feed): Promise<unknown> =>
    faultOf(
      (async () => {
        for await (const _item of feed);
      })(),
    )

  const made = () =>
    change('room', {
      put: [{ key: jobKey(1), head: 'h' }],
      announce: [{ subject: jobKey(1), event: 'made' }],
    })

  it('[S53] a feed that may not look at the log ends with the refusal before it is ready', async () => {
    const store = await open()
    await allow('-evalsha', '-eval')
    const feed = store.feed('now')
    expect(await faultOf(feed.ready)).toBeInstanceOf(StoreUnavailable)
    expect(await faultOfFeed(feed)).toMatchObject({ message: expect.stringContaining('NOPERM') })
  })

  it('[S53] a feed that may not read on ends with the refusal', async () => {
    const store = await open()
    await allow('-xread')
    const feed = store.feed('now')
    await feed.ready
    const fault = await faultOfFeed(feed)
    expect(fault).toBeInstanceOf(StoreUnavailable)
    expect(fault).toMatchObject({ message: expect.stringContaining('NOPERM') })
  })

  it('[S53] a feed whose password is no longer good ends with the refusal', async () => {
    const store = await open()
    const feed = store.feed('now')
    await feed.ready
    await allow('resetpass', '>another')
    await operator.call('CLIENT', 'KILL', 'USER', username)
    const fault = await faultOfFeed(feed)
    expect(fault).toBeInstanceOf(StoreUnavailable)
    expect(fault).toMatchObject({ message: expect.stringContaining('WRONGPASS') })
  })

  it('[S54] a Redis that does not let itself be asked for its version is refused with StoreUnavailable', async () => {
    await allow('-info')
    expect(await faultOf(open())).toBeInstanceOf(StoreUnavailable)
  })

  it('[S55] a change refused before anything ran is known not to have happened', async () => {
    const store = await open()
    await allow('-evalsha', '-eval')
    const fault = await faultOf(store.commit(made()))
    expect(fault).toBeInstanceOf(StoreUnavailable)
    expect(fault).toMatchObject({ outcomeUnknown: false })
  })

  it('[S55] a change whose script failed half-way has an unknown outcome', async () => {
    const store = await open()
    await operator.set(`${prefix}:{0}:log`, 'not a log')
    const fault = await faultOf(store.commit(made()))
    expect(fault).toBeInstanceOf(StoreUnavailable)
    expect(fault).toMatchObject({ outcomeUnknown: true })
  })

  it('[S55] a change whose answer was lost before the store was closed has an unknown outcome', async () => {
    const witness = await open()
    const proxy = await TcpProxy.start(redis)
    const store = await open(proxy)
    const sent = made()
    // Silent, not cut: a cut one would be back in a moment, and sent again the change would be answered.
    const broken = proxy.breakAt(sent.id, { kind: 'go-silent' })
    const fault = faultOf(store.commit(sent))
    await broken
    const kept = () => witness.read('room', [jobKey(1)])
    await expect.poll(kept, { timeout: 10_000 }).toMatchObject([{ head: 'h' }])
    await proxy.close()
    await store.close()
    expect(await fault).toBeInstanceOf(StoreUnavailable)
    expect(await fault).toMatchObject({ outcomeUnknown: true, message: expect.stringContaining('closed') })
    expect(await commitAll(witness, sent)).toMatchObject({ revision: 1 })
  })
})
