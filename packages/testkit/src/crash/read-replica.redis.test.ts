import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openRedisStore, type Store } from '@millrace/server'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TcpProxy } from '../network/tcp-proxy.ts'
import { makeTempDir } from '../process/temp-dir.ts'
import { RedisProcess } from '../redis/redis-process.ts'
import { startServerProcess } from '../server/server-process.ts'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { claim, jobKey, keysOf, put, queued } from '../store-contract/contract-scene.ts'

/** What only a client asks; changes reach a replica as writes. */
const readCommands = ['hmget', 'hgetall', 'hget', 'zrange', 'smembers', 'xread', 'evalsha', 'eval', 'time']

let primary: RedisProcess
let proxy: TcpProxy
let replica: RedisProcess
const [asks, page] = [{ partition: 'room', lists: ['jobs'], order: 'oldest' } as const, { limit: 100 }]

beforeEach(async () => {
  primary = await RedisProcess.start()
  proxy = await TcpProxy.start(primary)
  replica = await RedisProcess.start({ settings: { replicaof: `${proxy.host} ${proxy.port}` } })
})
afterEach(async () => {
  await replica.stop()
  await proxy.close()
  await primary.stop()
})

/** How often each command that only clients send was called, those that never were left out. */
async function readsAt({ host, port }: RedisProcess): Promise<Readonly<Record<string, number>>> {
  const client = new Redis({ host, port })
  const info = await client.info('commandstats')
  client.disconnect()
  const counts = readCommands.map((name) => [
    name,
    Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0),
  ])
  return Object.fromEntries(counts.filter(([, calls]) => calls !== 0))
}

async function forgetReads(...servers: readonly RedisProcess[]): Promise<void> {
  for (const { host, port } of servers) {
    const client = new Redis({ host, port })
    await client.config('RESETSTAT')
    client.disconnect()
  }
}

/** The looks at a replica come by themselves; the store says what they found. */
async function untilInUse(store: Store, wanted: number): Promise<void> {
  while ((await store.describe()).readReplicas?.inUse !== wanted);
}

describe('a store with a read replica', () => {
  let store: Store
  const listed = async (): Promise<readonly string[]> =>
    keysOf(await store.list({ ...asks, ...page, mayLag: true }))
  /** A page that the primary was not asked for, with what was; one that it was asked for came while the replica dawdled. */
  const listedThere = async () => {
    for (;;) {
      await untilInUse(store, 1)
      await forgetReads(primary, replica)
      const keys = await listed()
      const asked = Object.keys(await readsAt(primary))
      if (asked.length === 0) return { keys, reads: await readsAt(replica) }
    }
  }
  beforeEach(async () => {
    const at = ({ host, port }: RedisProcess) => [{ host, port }]
    store = await openRedisStore({ nodes: at(primary), readFrom: [{ nodes: at(replica) }] })
    await untilInUse(store, 1)
  })
  afterEach(() => store.close())

  it('[M110] pages that may lag are read there, and nothing else is', { timeout: 60_000 }, async () => {
    await put(store, 'room', { ...queued(jobKey(1), 1), lists: ['jobs'] })
    await forgetReads(primary, replica)
    await store.list({ ...asks, ...page })
    await store.read('room', [jobKey(1)])
    await store.queues()
    await store.counters('room')
    await store.due(0, 10)
    await store.claim(claim('room', 'queue', 1))
    expect(await readsAt(replica)).toEqual({})

    while (!(await listed()).includes(jobKey(1)));
    const { keys, reads } = await listedThere()
    expect(keys).toEqual([jobKey(1)])
    expect(reads).toMatchObject({ zrange: expect.any(Number), hmget: expect.any(Number) })
  })

  it('[M111] one that was killed is passed over at once, and used again when it is back', {
    timeout: 60_000,
  }, async () => {
    await replica.kill()
    await put(store, 'room', { key: jobKey(1), head: 'h', lists: ['jobs'] })
    expect(await listed()).toEqual([jobKey(1)])
    await replica.restart()
    const { keys, reads } = await listedThere()
    expect(keys).toEqual([jobKey(1)])
    expect(reads).toMatchObject({ zrange: expect.any(Number) })
  })

  it('[M111] one that hangs holds up one page, and no longer than a moment', {
    timeout: 60_000,
  }, async () => {
    await put(store, 'room', { key: jobKey(1), head: 'h', lists: ['jobs'] })
    await untilInUse(store, 1)
    replica.signal('SIGSTOP')
    const standstill = monitorEventLoopDelay()
    standstill.enable()
    const began = performance.now()
    expect(await listed()).toEqual([jobKey(1)])
    // Without what a machine that stood still meanwhile has added to it.
    expect(performance.now() - began - standstill.max / 1e6).toBeLessThan(3_000)
    standstill.disable()
    await untilInUse(store, 0)
    await forgetReads(primary)
    await listed()
    expect(await readsAt(primary)).toMatchObject({ zrange: 2 })
    replica.signal('SIGCONT')
    await untilInUse(store, 1)
  })

  it('[M111] one that hears no more of its primary is not asked, however well it answers', {
    timeout: 60_000,
  }, async () => {
    await proxy.breakAt('REPLCONF', { kind: 'go-silent' })
    await put(store, 'room', { key: jobKey(1), head: 'h', lists: ['jobs'] })
    await untilInUse(store, 0)
    expect(await listed()).toEqual([jobKey(1)])
    const client = new Redis({ host: replica.host, port: replica.port })
    expect(await client.info('replication')).toContain('master_link_status:up')
    client.disconnect()
  })

  it('[M111] one that became a primary of its own is not asked', { timeout: 60_000 }, async () => {
    const client = new Redis({ host: replica.host, port: replica.port })
    await client.replicaof('NO', 'ONE')
    client.disconnect()
    await untilInUse(store, 0)
    await put(store, 'room', { key: jobKey(1), head: 'h', lists: ['jobs'] })
    expect(await listed()).toEqual([jobKey(1)])
  })
})

describe('a server with --redis-read', () => {
  it('[M110] lists and searches jobs there; what it decides it never asks there', {
    timeout: 120_000,
  }, async () => {
    const url = ({ host, port }: RedisProcess): string => `redis://${host}:${port}`
    const place = ['--redis', url(primary), '--redis-read', url(replica)]
    const server = await startServerProcess(['--data-dir', await makeTempDir('read'), ...place])
    const scene = new FlowScene(server.url, server.admin.token ?? '')
    const ready = () => scene.admin.get<{ store: { readReplicas: object } }>('/health/ready')
    while (JSON.stringify((await ready()).store.readReplicas) !== '{"named":1,"inUse":1}');
    await forgetReads(primary, replica)

    const room = await scene.newRoom()
    const worker = await scene.worker([{ room }])
    const [first, second, third] = await scene.submitMany(room, 3)
    const job = await worker.assigned.next()
    expect(job.id).toBe(first)
    await worker.started(job)
    await worker.completed(job, { n: 1 })
    const held = await worker.assigned.next()
    await worker.started(held)
    worker.close()
    const back = await scene.worker([{ room }], { id: worker.id, attempts: [held] })
    expect(back.view?.resumed).toMatchObject([{ job: second }])
    await scene.admin.expect(202, 'POST', `/api/rooms/${room}/jobs/${third}/cancel`)
    expect(await scene.why(room, second ?? '')).toMatchObject({ reason: null })
    expect(await back.completed(held)).toBe('completed')
    expect(await readsAt(replica)).toEqual({})

    const path = `/api/rooms/${room}/jobs?status=completed`
    while ((await scene.admin.get<{ jobs: unknown[] }>(path)).jobs.length !== 2);
    const listed = await readsAt(replica)
    expect(listed).toMatchObject({ zrange: expect.any(Number), hmget: expect.any(Number) })
    // One that the replica was too slow for is answered by the primary.
    const zranges = async (): Promise<number> => (await readsAt(replica)).zrange ?? 0
    const before = await zranges()
    while ((await zranges()) === before) await scene.admin.get(`/api/jobs?search=nothing-has-this`)
    await scene.close()
    await server.child.kill()
  })
})
