import { randomUUID } from 'node:crypto'
import { openRedisStore, type RedisStoreOptions, type Store } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TcpProxy } from '../network/tcp-proxy.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import type { CheckedClient } from './checked-client.ts'
import { FlowScene } from './flow-scene.ts'
import { RoomEar } from './room-ear.ts'

const [username, password] = ['follower', 'secret']

describe('changes that a replica misses', () => {
  let redis: RedisProcess
  let operator: Redis
  let proxy: TcpProxy
  let log: string
  const stores: Store[] = []
  const servers: TestServer[] = []
  /** Where changes are made, and where they are missed: it reaches Redis through the proxy. */
  let here: FlowScene
  let there: FlowScene
  let missing: TestServer

  beforeEach(async () => {
    redis = await RedisProcess.start()
    operator = new Redis({ host: redis.host, port: redis.port })
    await allow('on', `>${password}`, '~*', '&*', '+@all')
    proxy = await TcpProxy.start(redis)
    const prefix = randomUUID()
    log = `${prefix}:{0}:log`
    const start = async (options: RedisStoreOptions): Promise<TestServer> => {
      const store = await openRedisStore({ prefix, shards: 1, ...options })
      stores.push(store)
      servers.push(await startTestServer(store))
      return servers.at(-1) as TestServer
    }
    const making = await start({ nodes: [{ host: redis.host, port: redis.port }] })
    missing = await start({ nodes: [{ host: proxy.host, port: proxy.port }], username, password })
    const root = await making.as('root', 'admin')
    here = new FlowScene(making.url, root.token ?? '')
    there = new FlowScene(missing.url, root.token ?? '')
  })
  afterEach(async () => {
    for (const scene of [here, there]) await scene.close()
    for (const server of servers.splice(0)) await server.close()
    for (const store of stores.splice(0)) await store.close()
    await proxy.close()
    operator.disconnect()
    await redis.stop()
  })

  const allow = (...rules: string[]) => operator.call('ACL', 'SETUSER', username, ...rules)

  const at = ({ token, user }: CheckedClient): CheckedClient => there.withToken(token ?? '', user)

  /** What happens meanwhile has left the log before the replica reads it again. */
  const inGap = async (happen: () => Promise<void>): Promise<void> => {
    await proxy.breakAt('xread', { kind: 'go-silent' })
    // It would connect anew before the end where what happens takes longer than it waits for an answer.
    proxy.silenceNew()
    await happen()
    await operator.xtrim(log, 'MAXLEN', 0)
    proxy.cutAll()
  }

  it('[M172] whoever lost the place in a room, the role or the token in a gap of the log is cut after it, and no others', {
    timeout: 60_000,
  }, async () => {
    const [owner, member, promoted] = [await here.user(), await here.user(), await here.user()]
    const leaving = await here.signIn(member.user)
    const room = await here.newRoom('private', owner)
    const membership = `/api/rooms/${room}/members/${member.user}`
    await owner.expect(200, 'PUT', membership, { role: 'member' })
    const ofOwner = await RoomEar.join(at(owner), room)
    const ofMember = await RoomEar.join(at(member), room)
    const ofPromoted = await RoomEar.open(at(promoted))
    const ofLeaving = await RoomEar.open(at(leaving))
    const worker = await there.worker([{ room }], {}, at(member))

    await inGap(async () => {
      await owner.expect(204, 'DELETE', membership)
      await here.admin.expect(200, 'PATCH', `/api/users/${promoted.user}`, { role: 'admin' })
      await leaving.expect(204, 'POST', '/api/auth/logout')
    })

    await ofOwner.heard.next(({ event }) => event === 'feed:reset')
    for (const ear of [ofMember, ofPromoted, ofLeaving]) await ear.cut()
    const path = `/api/workers/${worker.id}`
    while ((await here.admin.get<{ extensions: unknown[] }>(path)).extensions.length > 0);
    await ofOwner.join(room)
    expect([ofOwner.socket.connected, worker.socket.connected]).toEqual([true, true])
  })

  it('[M173] a member who was removed is cut, though the store did not answer when that was heard of', {
    timeout: 60_000,
  }, async () => {
    const [owner, member] = [await here.user(), await here.user()]
    const room = await here.newRoom('private', owner)
    const membership = `/api/rooms/${room}/members/${member.user}`
    await owner.expect(200, 'PUT', membership, { role: 'member' })
    const ear = await RoomEar.join(at(member), room)
    await allow('-hmget')
    await owner.expect(204, 'DELETE', membership)
    await expect.poll(() => missing.faultsAt, { timeout: 10_000 }).toContain('fault: who may hear')
    expect(ear.socket.connected).toBe(true)
    await allow('+hmget')
    await ear.cut()
  })
})
